/// The state machine of a live source; times in seconds come with the calls.
package struct LiveSourceMonitor {
  private let name: String
  private let policy: ReconnectPolicy
  private var state = LiveSourceStatus.State.connecting
  private var lastPicture = 0.0
  private var attemptBegan = 0.0
  /// Attempts since the last frame.
  private var vainAttemptCount = 0
  /// Failures since the last frame, including the loss of its connection.
  private var failureCount = 0
  private var hasPicture = false

  package init(name: String, policy: ReconnectPolicy) {
    self.name = name
    self.policy = policy
  }

  package mutating func attemptBegins(at now: Double) -> LiveSourceStatus {
    attemptBegan = now
    hasPicture = false
    if state == .connecting {
      return status("sourceConnects")
    }
    return status("sourceReconnects")
  }

  package mutating func pictureCame(at now: Double) -> LiveSourceStatus? {
    lastPicture = now
    hasPicture = true
    vainAttemptCount = 0
    failureCount = 0
    guard state != .live else { return nil }
    state = .live
    return status("sourceLive")
  }

  /// The next frame is available, but not yet due, or pictures came until then that were not wanted.
  package mutating func pictureWaits(until time: Double) { lastPicture = max(lastPicture, time) }

  package mutating func timePassed(now: Double) -> LiveSourceStatus? {
    guard state == .live, now - lastPicture >= policy.staleAfter.seconds else { return nil }
    state = .stale
    return status("sourceSilent")
  }

  /// The attempt or connection failed; the next attempt is after `retryIn`.
  package mutating func failed(
    _ message: String, _ text: MessageText? = nil, at now: Double
  ) -> LiveSourceStatus {
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
    return status(message, text, retryIn: max(pause, min(first, policy.longestPause.seconds)))
  }

  package mutating func ended(_ message: String, _ text: MessageText? = nil) -> LiveSourceStatus {
    state = .ended
    return status(message, text)
  }

  private func status(_ text: String) -> LiveSourceStatus {
    let text = MessageText(text, ["source": name])
    return status(text.sentence, text)
  }

  private func status(
    _ message: String, _ text: MessageText?, retryIn: Double? = nil
  ) -> LiveSourceStatus {
    var text = text?.adding(["source": name])
    if retryIn != nil { text = text?.adding(["then": "retry"]) }
    return LiveSourceStatus(
      state: state, message: text?.sentence ?? message, text: text, attempt: vainAttemptCount,
      retryIn: retryIn)
  }
}
