/// Decides how a live source does, from what happens to it and when.
///
/// It knows no clock: times, in seconds, come with the calls.
package struct LiveSourceMonitor {
  private let name: String
  private let policy: ReconnectPolicy
  private var state = LiveSourceStatus.State.connecting
  private var lastPicture = 0.0
  private var attemptBegan = 0.0
  /// Attempts without a picture, since the last one.
  private var vainAttemptCount = 0
  /// Failures since the last picture, the loss of the connection that brought it among them.
  private var failureCount = 0
  private var hasPicture = false

  /// Begins to watch a source that is not yet opened.
  package init(name: String, policy: ReconnectPolicy) {
    self.name = name
    self.policy = policy
  }

  /// An attempt begins.
  package mutating func attemptBegins(at now: Double) -> LiveSourceStatus {
    attemptBegan = now
    hasPicture = false
    if state == .connecting {
      return status("\(name) is being opened.")
    }
    return status("\(name) is being opened again.")
  }

  /// A picture came.
  package mutating func pictureCame(at now: Double) -> LiveSourceStatus? {
    lastPicture = now
    hasPicture = true
    vainAttemptCount = 0
    failureCount = 0
    guard state != .live else { return nil }
    state = .live
    return status("\(name) is live.")
  }

  /// The next picture is there and is held back until its time has come.
  package mutating func pictureWaits(until time: Double) {
    lastPicture = max(lastPicture, time)
  }

  /// Time has passed.
  package mutating func timePassed(now: Double) -> LiveSourceStatus? {
    guard state == .live, now - lastPicture >= policy.staleAfter.seconds else { return nil }
    state = .stale
    return status("\(name) is open, but no picture has come for a while.")
  }

  /// The attempt or the connection failed; it is tried again after `retryIn`.
  package mutating func failed(_ message: String, at now: Double) -> LiveSourceStatus {
    state = .reconnecting
    failureCount += 1
    if !hasPicture { vainAttemptCount += 1 }
    let first = policy.firstPause.seconds
    var pause = first
    for _ in 1..<max(2, failureCount) where failureCount > 1 && pause < policy.longestPause.seconds
    {
      pause *= 2
    }
    pause = min(pause, policy.longestPause.seconds)
    if !hasPicture { pause -= now - attemptBegan }
    return status(message, retryIn: max(pause, min(first, policy.longestPause.seconds)))
  }

  /// It is over for good.
  package mutating func ended(_ message: String) -> LiveSourceStatus {
    state = .ended
    return status(message)
  }

  private func status(_ message: String, retryIn: Double? = nil) -> LiveSourceStatus {
    LiveSourceStatus(
      state: state, message: message, attempt: vainAttemptCount, retryIn: retryIn)
  }
}
