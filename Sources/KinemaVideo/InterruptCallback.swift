import CFFmpeg
import Synchronization

/// Interrupts FFmpeg on request or at a deadline.
final class InterruptCallback: Sendable {
  private let cancelled = Atomic(false)
  /// On the clock of `av_gettime_relative`, in microseconds; `Int64.max` without a deadline.
  private let deadline = Atomic(Int64.max)

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  var isPastDeadline: Bool {
    let deadline = deadline.load(ordering: .relaxed)
    return deadline != .max && InterruptCallback.now > deadline
  }

  func setDeadline(secondsFromNow seconds: Double?) {
    let time = seconds.map { InterruptCallback.now + Int64($0 * 1_000_000) } ?? .max
    deadline.store(time, ordering: .relaxed)
  }

  private static var now: Int64 { av_gettime_relative() }

  /// FFmpeg's callback; the interruption must outlive its user.
  var callback: AVIOInterruptCB {
    AVIOInterruptCB(
      callback: { argument in
        guard let argument else { return 0 }
        let interruption = Unmanaged<InterruptCallback>.fromOpaque(argument).takeUnretainedValue()
        return interruption.isCancelled || interruption.isPastDeadline ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}
