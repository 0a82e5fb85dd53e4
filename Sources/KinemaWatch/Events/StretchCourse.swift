import Foundation

/// What a person does or how they hold themselves, over time: a label begins once it has lasted, and ends once
/// it has not been recognised for a while.
struct StretchCourse: Sendable {
  enum Change: Sendable {
    case began(label: String, at: TimeInterval)
    case lasted(label: String, seconds: TimeInterval)
    case ended(label: String, at: TimeInterval, seconds: TimeInterval)
  }

  private struct Stretch: Sendable {
    var label: String
    var since: TimeInterval
    /// When it was last recognised.
    var until: TimeInterval
    /// The durations that were reported.
    var lasted: Set<TimeInterval> = []
  }

  private var current: Stretch?
  private var candidate: Stretch?

  /// The label that has begun and not ended.
  var label: String? { current?.label }

  /// - Parameter beginAfter: How long the label lasts until it begins, in seconds.
  mutating func follow(
    _ label: String?, at time: TimeInterval, beginAfter: TimeInterval,
    lastingTimes: Set<TimeInterval>, _ rules: SceneEvents.Rules
  ) -> [Change] {
    var changes: [Change] = []
    // After an outage, nothing before it continues.
    if let current, time - current.until > rules.leaveAfter { changes += end(at: current.until) }
    if let candidate, time - candidate.until > rules.leaveAfter { self.candidate = nil }
    if let label, label == current?.label {
      current?.until = time
      candidate = nil
    } else if let label {
      if candidate?.label != label {
        candidate = Stretch(label: label, since: time, until: time)
      }
      candidate?.until = time
    } else {
      candidate = nil
    }
    if let candidate, time - candidate.since >= beginAfter {
      changes += end(at: candidate.since)
      current = candidate
      self.candidate = nil
      changes.append(.began(label: candidate.label, at: candidate.since))
    } else if let current, time - current.until > rules.endAfter {
      changes += end(at: current.until)
    }
    if var stretch = current {
      for seconds in lastingTimes.subtracting(stretch.lasted).sorted()
      where stretch.until - stretch.since >= seconds {
        stretch.lasted.insert(seconds)
        changes.append(.lasted(label: stretch.label, seconds: seconds))
      }
      current = stretch
    }
    return changes
  }

  /// What has not begun yet turns out to be something else.
  mutating func revise(_ label: String, to other: String) {
    if candidate?.label == label { candidate?.label = other }
  }

  mutating func end(at time: TimeInterval) -> [Change] {
    guard let stretch = current else { return [] }
    current = nil
    let until = min(time, stretch.until)
    return [.ended(label: stretch.label, at: until, seconds: until - stretch.since)]
  }
}
