package import Foundation

/// Converts a sender's times to session time, in seconds from the first frame and increasing.
///
/// A sender's clock may be set, run backwards or be wrong. An implausible step is replaced by the
/// time between two arrivals.
package struct SessionClock: Sendable {
  /// The longest step, in seconds, that is accepted with any arrivals: frames may have been delayed
  /// and arrive together.
  static let believedStep = 2.0
  /// How many times the time between arrivals a longer step may be.
  static let believedRatio = 2.0
  /// The least step, in seconds.
  static let leastStep = 0.001

  package private(set) var time: TimeInterval = 0
  private var last: (sent: TimeInterval, arrived: TimeInterval)?

  package init() {}

  /// The session time of a frame by its capture on the sender's clock and its arrival, in seconds.
  package mutating func advance(to sent: TimeInterval, arrivedAt arrived: TimeInterval)
    -> TimeInterval
  {
    defer { last = (sent, arrived) }
    guard let last else { return time }
    let waited = max(0, arrived - last.arrived)
    let step = sent - last.sent
    let isBelieved =
      step > 0 && step <= max(Self.believedStep, Self.believedRatio * waited)
    time += max(Self.leastStep, isBelieved ? step : waited)
    return time
  }

  /// Starts another source, whose first frame is `gap` seconds after the last.
  package mutating func changeSource(gap: TimeInterval) {
    guard last != nil else { return }
    last = nil
    time += gap
  }
}
