import CMemory
import Foundation
import KinemaStreams

/// Gives free memory back to the system.
///
/// Requests, sessions and cameras come and go on many threads, whose parts of the heap each keep what is free:
/// beside imports and listings a server took three times what it used.
package enum HeapTrimming {
  /// The time between two readings of the resident memory; a large import takes a second.
  private static let interval = Duration.milliseconds(250)
  /// The growth after which the heap is trimmed, in bytes, and the time after which it is anyway.
  private static let growth = 64 << 20
  private static let longestInterval = Duration.seconds(30)

  /// The size from which a block has pages of its own, in bytes.
  ///
  /// The C library raises its limit to 32 MiB where large blocks come and go, and what imports leave then
  /// stays in its heaps. Frames of 720p, which are larger, cost 1 % more processor time.
  private static let largeBlock: Int32 = 1 << 20

  /// Trims until the task is cancelled, on a thread that may block.
  package static func start() -> Task<Void, Never> {
    Task(executorPreference: BlockingTasks.threads) { await run() }
  }

  private static func run() async {
    mallopt(M_MMAP_THRESHOLD, largeBlock)
    var (last, lowest) = (ContinuousClock.now, Int.max)
    while (try? await Task.sleep(for: interval)) != nil {
      let resident = residentByteCount
      lowest = min(lowest, resident)
      guard resident - lowest > growth || last.duration(to: .now) > longestInterval else {
        continue
      }
      malloc_trim(0)
      (last, lowest) = (.now, residentByteCount)
    }
  }

  /// The memory of the process that is in RAM; 0 where the system does not say.
  static var residentByteCount: Int {
    // Without /proc it is not known.
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    return (fields?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
