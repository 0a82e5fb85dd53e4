package import Foundation
import Synchronization

/// Threads with their own networks that extract the poses of many streams.
///
/// A free thread takes the waiting stream with the lowest ``Rank`` that has used the least time, and
/// processes its jobs, then its newest frame. Live streams have equal ranks and thus equal shares of
/// the threads; one that needs less than its share does not wait behind those that need more. Parts
/// of files have increasing ranks, so that the first finishes first. A stream is processed by one
/// thread at a time. Networks are loaded once per thread.
package final class PosePool: Sendable {
  /// The state of the threads.
  package struct Load: Sendable {
    package var workerCount: Int
    /// The working time of all threads together, in seconds.
    package var busySeconds: TimeInterval
    package var frameCount: Int
    /// The working time for a frame in seconds, averaged over recent frames; `nil` before the
    /// first.
    package var secondsPerFrame: TimeInterval?
    /// The number of streams that wait for a thread.
    package var waitingCount: Int
  }

  /// The order in which streams are served: those of lower rank first, those of equal rank with
  /// equal shares.
  struct Rank: Comparable {
    var source = 0
    var segment = 0

    static let live = Rank()

    static func < (one: Rank, other: Rank) -> Bool {
      (one.source, one.segment) < (other.source, other.segment)
    }
  }

  /// Pools of the process by their number of threads.
  private static let pools = Mutex<[Int: PosePool]>([:])

  package let workerCount: Int
  /// Limits how many parts of files are decoded at the same time.
  let readingSemaphore: PrioritySemaphore
  private let queue: PoseQueue
  private let substitute: (@Sendable () -> PoseFinder.Substitute)?
  private let nextSource = Atomic(1)

  /// Creates a pool; threads start when there is work for them.
  ///
  /// - Parameters:
  ///   - workerCount: The number of threads, at least 1; by default one for each processor.
  ///   - isInBackground: Whether the threads run only where others leave time.
  ///   - subject: Starts all threads now, each with the networks of this subject loaded.
  ///   - runtime: The place of the networks.
  ///   - substitute: Makes a function that finds the poses of a stream in place of the networks.
  package init(
    workerCount: Int = ProcessInfo.processInfo.activeProcessorCount,
    isInBackground: Bool = false,
    loading subject: PoseSubject? = nil, runtime: VisionRuntime = .located(),
    substitute: (@Sendable () -> PoseFinder.Substitute)? = nil
  ) {
    precondition(workerCount > 0, "A PosePool needs at least one thread.")
    self.workerCount = workerCount
    self.substitute = substitute
    readingSemaphore = PrioritySemaphore(workerCount)
    queue = PoseQueue(workerCount: workerCount, isInBackground: isInBackground, runtime: runtime)
    if let subject { queue.startAll(loading: subject) }
  }

  deinit {
    queue.end()
  }

  /// The pool of the process with a number of threads; its networks stay loaded.
  package static func shared(workerCount: Int) -> PosePool {
    pools.withLock { pools in
      let pool = pools[workerCount] ?? PosePool(workerCount: workerCount)
      pools[workerCount] = pool
      return pool
    }
  }

  /// Waits until networks are loaded.
  ///
  /// - Throws: ``VisionError`` where a part is missing.
  package func prepare(_ subject: PoseSubject = .bodies(.init())) async throws {
    try await makeStream(subject).perform { try $0.networks?.load(subject) }
  }

  /// A live stream, which shares the threads fairly with all others.
  ///
  /// - Parameter weight: Its share relative to others', above 0.
  package func makeStream(
    _ subject: PoseSubject = .bodies(.init()), weight: Double = 1
  ) -> PoseStream {
    makeStream(subject, rank: .live, weight: weight)
  }

  func makeStream(_ subject: PoseSubject, rank: Rank, weight: Double = 1) -> PoseStream {
    precondition(weight > 0, "A stream has a share of the threads.")
    return PoseStream(
      queue: queue, finder: PoseFinder(subject, substitute: substitute?()), rank: rank,
      weight: weight)
  }

  /// A number for a file: files with lower numbers are processed first.
  func takeSourceNumber() -> Int { nextSource.add(1, ordering: .relaxed).oldValue }

  /// The state of the threads.
  package var load: Load { queue.load }

  /// Ends the threads when the waiting jobs are done; streams take no more.
  package func end() {
    queue.end()
  }
}
