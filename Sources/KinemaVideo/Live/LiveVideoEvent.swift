package import Foundation

/// The status of a live source.
package struct LiveSourceStatus: Hashable, Sendable {
  package enum State: String, Hashable, Codable, Sendable {
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

  package var state: State
  /// One sentence for users.
  package var message: String
  /// Number of failed attempts since the last frame.
  package var attempt: Int
  /// Seconds until the next attempt, if one is due.
  package var retryIn: TimeInterval?

  package init(state: State, message: String, attempt: Int = 0, retryIn: TimeInterval? = nil) {
    self.state = state
    self.message = message
    self.attempt = attempt
    self.retryIn = retryIn
  }
}

/// An event of a live source.
package enum LiveVideoEvent: Sendable {
  /// The status changed.
  case status(LiveSourceStatus)
  /// An upright frame; times never decrease, even after reopening. `droppedCount` is the number of
  /// frames dropped so far because the reader was busy.
  case frame(Frame, time: TimeInterval, droppedCount: Int)
}
