public import Foundation

/// The repetitions in a stretch of time.
public struct RepetitionSummary: Hashable, Sendable {
  /// A count from a moment on.
  public struct Point: Hashable, Sendable {
    /// The time in seconds.
    public var time: TimeInterval
    /// How many repetitions are complete.
    public var count: Int

    /// Creates a point.
    public init(time: TimeInterval, count: Int) {
      self.time = time
      self.count = count
    }
  }

  /// Period and periodicity of a movement at one moment.
  public struct Moment: Hashable, Sendable {
    /// The time in seconds.
    public var time: TimeInterval
    /// The time that a repetition takes, in seconds; `nil` at rest.
    public var period: TimeInterval?
    /// The confidence that the movement is periodic, from 0 to 1.
    public var periodicity: Double

    /// Creates a moment.
    public init(time: TimeInterval, period: TimeInterval?, periodicity: Double) {
      self.time = time
      self.period = period
      self.periodicity = periodicity
    }
  }

  /// The repetitions in the order of their starts.
  public var repetitions: [Repetition]
  /// Periodicity and period over time, every 2/15 of a second.
  public var moments: [Moment]

  /// Creates a summary.
  public init(repetitions: [Repetition], moments: [Moment] = []) {
    self.repetitions = repetitions.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    self.moments = moments
  }

  /// How many repetitions there are, attempts among them.
  public var count: Int { repetitions.count }

  /// How many of them are attempts.
  public var attemptCount: Int { repetitions.count { $0.quality?.isAttempt == true } }

  /// The repetitions of each set, by their starts; without a classifier those without a long pause.
  package var sets: [[Repetition]] {
    var sets: [[Repetition]] = []
    for repetition in repetitions {
      let index = sets.lastIndex { set in
        guard let last = set.last, last.set == repetition.set else { return false }
        return last.action != nil || repetition.start - last.end <= SetCourse.longestPause
      }
      if let index { sets[index].append(repetition) } else { sets.append([repetition]) }
    }
    return sets
  }

  /// How many repetitions there are of each action; empty without a classifier.
  public var counts: [String: Int] {
    repetitions.compactMap(\.action).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The count over time: a point at every repetition's end.
  public var series: [Point] {
    repetitions.map(\.end).sorted().enumerated().map { Point(time: $1, count: $0 + 1) }
  }

  /// Repetitions a minute, by the median of their durations; `nil` if there are none.
  public var tempo: Double? {
    let durations = repetitions.map(\.duration).filter { $0 > 0 }.sorted()
    guard !durations.isEmpty else { return nil }
    let middle = durations.count / 2
    let median =
      durations.count.isMultiple(of: 2)
      ? (durations[middle - 1] + durations[middle]) / 2 : durations[middle]
    return 60 / median
  }
}
