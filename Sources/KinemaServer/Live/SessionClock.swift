package import Foundation

/// Makes session time, in seconds from the first picture and always rising, of the times that a
/// sender's clock gives.
///
/// A sender's clock may be set, run backwards or be wrong. A step of it that cannot be right next to
/// the time between two arrivals is replaced by that.
package struct SessionClock: Sendable {
  /// The longest step, in seconds, that is accepted whatever the arrivals: pictures may have been held
  /// up and arrive together.
  package static let believedStep = 2.0
  /// How many times the time between arrivals a longer step may be.
  package static let believedRatio = 2.0
  /// The least step, in seconds.
  package static let leastStep = 0.001

  /// The session time of the newest picture.
  package private(set) var time: TimeInterval = 0
  private var last: (sent: TimeInterval, arrived: TimeInterval)?

  package init() {}

  /// The session time of the next picture.
  ///
  /// - Parameters:
  ///   - sent: When it was taken by the sender's clock, in seconds.
  ///   - arrived: When it came, in seconds of the server's own clock, which never runs backwards.
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

  /// Another source with another clock comes: its first picture is `gap` seconds later than the last.
  package mutating func changeSource(gap: TimeInterval) {
    guard last != nil else { return }
    last = nil
    time += gap
  }
}
