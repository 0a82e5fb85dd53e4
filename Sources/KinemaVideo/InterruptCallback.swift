import CFFmpeg
import KinemaFiles
import Synchronization

/// Interrupts FFmpeg on request, at a limit or at a deadline.
///
/// After the limit all is as if it was cancelled; a deadline is that of one call.
final class InterruptCallback: Sendable {
  private let cancelled = Atomic(false)
  /// On the clock of `av_gettime_relative`, in microseconds; `Int64.max` for none.
  private let deadline = Atomic(Int64.max)
  /// The length of the deadline, in microseconds; `Int64.max` for none.
  private let deadlineLength = Atomic(Int64.max)
  private let limit = Atomic(Int64.max)
  /// The length of the limit, in microseconds.
  private let limitLength = Atomic(Int64.max)
  /// When an intact picture came last, on the same clock; `Int64.min` for never.
  private let lastPicture = Atomic(Int64.min)

  func cancel() { cancelled.store(true, ordering: .relaxed) }

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) || isPastLimit }

  var isPastLimit: Bool { Self.now > limit.load(ordering: .relaxed) }

  var isPastDeadline: Bool { Self.now > deadline.load(ordering: .relaxed) }

  func setDeadline(secondsFromNow seconds: Double?) {
    deadlineLength.store(seconds.map(Self.microseconds) ?? .max, ordering: .relaxed)
    restartDeadline()
  }

  /// Lets the deadline begin again, for something has come.
  func restartDeadline() {
    let length = deadlineLength.load(ordering: .relaxed)
    deadline.store(Self.time(after: length == .max ? nil : length), ordering: .relaxed)
  }

  /// Sets the limit, or lifts it.
  func setLimit(secondsFromNow seconds: Double?) {
    limitLength.store(seconds.map(Self.microseconds) ?? .max, ordering: .relaxed)
    restartLimit()
  }

  /// Lets the limit begin again, for something has come.
  func restartLimit() {
    let length = limitLength.load(ordering: .relaxed)
    limit.store(Self.time(after: length == .max ? nil : length), ordering: .relaxed)
  }

  var secondsToLimit: Double {
    let limit = limit.load(ordering: .relaxed)
    return limit == .max ? .infinity : Double(limit - Self.now) / 1_000_000
  }

  /// Notes that a picture came, whether it is wanted or not.
  func pictureCame() { lastPicture.store(Self.now, ordering: .relaxed) }

  /// The time of the last picture that was noted, on the clock of ``MonotonicTime``.
  var pictureTime: Double {
    let time = lastPicture.load(ordering: .relaxed)
    return time == .min ? -.infinity : Double(time) / 1_000_000
  }

  private static var now: Int64 { av_gettime_relative() }

  private static func time(after microseconds: Int64?) -> Int64 {
    microseconds.map { now + $0 } ?? .max
  }

  private static func microseconds(_ seconds: Double) -> Int64 {
    Int64(clamping: Int(saturating: max(0, min(seconds, 1e11)) * 1_000_000))
  }

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
