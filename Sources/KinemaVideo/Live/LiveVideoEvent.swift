public import Foundation

/// The status of a live source.
public struct LiveSourceStatus: Hashable, Sendable {
  /// The state.
  public enum State: String, Hashable, Codable, Sendable {
    /// Opened for the first time.
    case connecting
    /// Frames arrive.
    case live
    /// Open, but without a frame for three seconds.
    case stale
    /// Failed; retried after a pause.
    case reconnecting
    /// Ended; not retried.
    case ended
  }

  /// The state.
  public var state: State
  /// One sentence for users.
  public var message: String
  /// The same by name.
  public var text: MessageText?
  /// Number of failed attempts since the last frame.
  public var attempt: Int
  /// Seconds until the next attempt, if one is due.
  public var retryIn: TimeInterval?

  /// Creates a status.
  public init(
    state: State, message: String, text: MessageText? = nil, attempt: Int = 0,
    retryIn: TimeInterval? = nil
  ) {
    self.state = state
    self.message = message
    self.text = text
    self.attempt = attempt
    self.retryIn = retryIn
  }
}

/// An event of a live source.
public enum LiveVideoEvent: Sendable {
  /// The status changed.
  case status(LiveSourceStatus)
  /// An upright frame; times never decrease, even after reopening. `droppedCount` is the number of
  /// frames dropped so far because the reader was busy.
  case frame(Frame, time: TimeInterval, droppedCount: Int)
}
