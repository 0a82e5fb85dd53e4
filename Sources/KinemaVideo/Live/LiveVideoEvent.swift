public import Foundation

/// How a live source does.
public struct LiveSourceStatus: Hashable, Sendable {
  /// What it is doing.
  public enum State: String, Hashable, Codable, Sendable {
    /// It is opened for the first time.
    case connecting
    /// Frames come.
    case live
    /// It is open, but no frame came for three seconds.
    case stale
    /// It failed, and is tried again after a pause.
    case reconnecting
    /// It has ended, and is not tried again.
    case ended
  }

  /// What it is doing.
  public var state: State
  /// One sentence for people.
  public var message: String
  /// How often it was tried in vain since the last frame.
  public var attempt: Int
  /// The seconds until the next attempt; `nil` where none is waited for.
  public var retryIn: TimeInterval?

  /// Creates a status.
  public init(state: State, message: String, attempt: Int = 0, retryIn: TimeInterval? = nil) {
    self.state = state
    self.message = message
    self.attempt = attempt
    self.retryIn = retryIn
  }
}

/// What a live source tells.
public enum LiveVideoEvent: Sendable {
  /// How the source does, whenever that changes.
  case status(LiveSourceStatus)
  /// A picture, upright; its time never runs backwards, also where the source was opened again.
  ///
  /// `droppedCount` is how many pictures since the beginning came while nobody was ready for them.
  case frame(Frame, time: TimeInterval, droppedCount: Int)
}
