import Foundation
import KinemaRandom

/// What was counted on the clips of one source, or of several: sums, from which figures are calculated.
package struct RealPeopleTally: Sendable {
  /// How often something was right, of all times.
  package struct Share: Hashable, Sendable {
    package var right: Double
    package var all: Double

    package init(right: Double = 0, all: Double = 0) {
      (self.right, self.all) = (right, all)
    }

    var value: Double? { all > 0 ? right / all : nil }

    package mutating func add(_ isRight: Bool) {
      (right, all) = (right + (isRight ? 1 : 0), all + 1)
    }

    static func += (sum: inout Share, share: Share) {
      (sum.right, sum.all) = (sum.right + share.right, sum.all + share.all)
    }
  }

  /// Segments by true label: the likeliest label over their windows is right.
  package var segments: [String: Share] = [:]
  /// Windows by true label, each for itself.
  package var windows: [String: Share] = [:]
  /// Segments by true label: `right` is the sum of the mean logarithms of its probability in their windows.
  package var evidence: [String: Share] = [:]
  /// Segments by true label: the name shown for longest in a file's table is right.
  var shown: [String: Share] = [:]
  /// Twice the matches of named with true stretches, of all of both, at an overlap of one half.
  var matchesInFiles = Share()
  var matchesLive = Share()
  /// Stretches that name an exercise that is not done, and labelled minutes.
  package var falseInFiles = Share()
  package var falseLive = Share()
  /// Windows of what is no exercise, and those that are named one.
  package var namedWindows = Share()
  /// How long after the beginning of a segment its name comes live, in seconds.
  var delays: [Double] = []
  /// The same of streams in which something else comes before (``RunningStream``).
  package var (matchesRunning, falseRunning) = (Share(), Share())
  var delaysRunning: [Double] = []
  /// Segments that were counted without a classifier, within one repetition, and exactly right.
  package var withinOne = Share()
  package var exact = Share()
  /// Segments of the model's exercises of which as many repetitions were counted under that name, within
  /// one.
  package var namedWithinOne = Share()
  /// Repetitions in labelled time that were counted under another name, and minutes.
  package var namedWrongly = Share()

  package init() {}

  /// Takes over what is counted in files.
  mutating func copyFiles(of other: RealPeopleTally) {
    (segments, windows, shown) = (other.segments, other.windows, other.shown)
    (matchesInFiles, falseInFiles) = (other.matchesInFiles, other.falseInFiles)
    namedWindows = other.namedWindows
  }

  /// Takes over what is counted live.
  mutating func copyLive(of other: RealPeopleTally) {
    (matchesLive, falseLive, delays) = (other.matchesLive, other.falseLive, other.delays)
    (matchesRunning, falseRunning) = (other.matchesRunning, other.falseRunning)
    delaysRunning = other.delaysRunning
  }

  static func += (sum: inout RealPeopleTally, other: RealPeopleTally) {
    func merge(_ key: WritableKeyPath<RealPeopleTally, [String: Share]>) {
      sum[keyPath: key].merge(other[keyPath: key]) { first, second in
        var both = first
        both += second
        return both
      }
    }
    merge(\.segments)
    merge(\.windows)
    merge(\.shown)
    merge(\.evidence)
    for key in [
      \RealPeopleTally.matchesInFiles, \.matchesLive, \.falseInFiles, \.falseLive, \.namedWindows,
      \.withinOne, \.exact, \.namedWithinOne, \.namedWrongly, \.matchesRunning, \.falseRunning,
    ] {
      sum[keyPath: key] += other[keyPath: key]
    }
    sum.delays += other.delays
    sum.delaysRunning += other.delaysRunning
  }
}

/// A figure of a tally.
package enum RealPeopleFigure: String, CaseIterable {
  case exercises = "exercises, segments right"
  case known = "known labels, segments right"
  case macro = "known labels, mean of the classes"
  case others = "others, segments not named an exercise"
  case knownEvidence = "known labels, probability of the right one"
  case othersEvidence = "others, probability of no exercise"
  case shown = "known labels, segments right as a file shows them"
  case namedWindows = "others, windows named an exercise"
  case falseInFiles = "false stretches a minute, files"
  case falseLive = "false stretches a minute, live"
  case f1InFiles = "F1@50, files"
  case f1Live = "F1@50, live"
  case delay = "delay of the right name, live, s"
  case falseRunning = "false stretches a minute, live after something else"
  case f1Running = "F1@50, live after something else"
  case delayRunning = "delay of the right name, live after something else, s"
  case withinOne = "counts within one, any movement"
  case exact = "counts exact, any movement"
  case namedWithinOne = "counts within one, under the right name"
  case namedWrongly = "repetitions under a wrong name a minute, live"

  /// Whether the value is a share, from 0 to 1.
  var isShare: Bool {
    switch self {
    case .falseInFiles, .falseLive, .delay, .falseRunning, .delayRunning, .namedWrongly: false
    default: true
    }
  }

  /// The value; `nil` where nothing was counted.
  package func value(of tally: RealPeopleTally, exercises: Set<String>) -> Double? {
    func sum(
      _ shares: [String: RealPeopleTally.Share], _ isMeant: (String) -> Bool
    ) -> Double? {
      shares.filter { isMeant($0.key) }.values.reduce(into: RealPeopleTally.Share()) { $0 += $1 }
        .value
    }
    switch self {
    case .exercises: return sum(tally.segments) { exercises.contains($0) }
    case .known: return sum(tally.segments) { $0 != RealLabels.none }
    case .macro:
      let classes = tally.segments.filter { $0.key != RealLabels.none }.values.compactMap(\.value)
      return classes.isEmpty ? nil : classes.reduce(0, +) / Double(classes.count)
    case .others: return sum(tally.segments) { $0 == RealLabels.none }
    case .knownEvidence: return sum(tally.evidence) { $0 != RealLabels.none }.map(exp)
    case .othersEvidence: return sum(tally.evidence) { $0 == RealLabels.none }.map(exp)
    case .shown: return sum(tally.shown) { $0 != RealLabels.none }
    case .namedWindows: return tally.namedWindows.value
    case .falseInFiles: return tally.falseInFiles.value
    case .falseLive: return tally.falseLive.value
    case .f1InFiles: return tally.matchesInFiles.value
    case .f1Live: return tally.matchesLive.value
    case .delay: return Self.median(tally.delays)
    case .falseRunning: return tally.falseRunning.value
    case .f1Running: return tally.matchesRunning.value
    case .delayRunning: return Self.median(tally.delaysRunning)
    case .withinOne: return tally.withinOne.value
    case .exact: return tally.exact.value
    case .namedWithinOne: return tally.namedWithinOne.value
    case .namedWrongly: return tally.namedWrongly.value
    }
  }

  private static func median(_ values: [Double]) -> Double? {
    let values = values.sorted()
    guard !values.isEmpty else { return nil }
    return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
  }
}

/// Draws sources, with replacement, so that figures have a deviation: that of other people's clips.
///
/// The bootstrap of clusters (Davison and Hinkley, *Bootstrap Methods and their Application*, 1997, 3.8).
/// Draws with one seed are of the same sources, so that models are compared on the same clips.
enum SourceBootstrap {
  private static let drawCount = 400

  /// The sums of as many sources as there are, drawn with replacement from those of one of several trainings.
  ///
  /// - Parameter trainings: The tallies of each source, by training; one source has no deviation.
  static func draws(of trainings: [[RealPeopleTally]]) -> [RealPeopleTally] {
    guard let count = trainings.first?.count, count > 1 else { return [] }
    var generator = SeededGenerator(seed: 1)
    return (0..<drawCount).map { draw in
      let tallies = trainings[draw % trainings.count]
      return (0..<count).reduce(into: RealPeopleTally()) { sum, _ in
        sum += tallies[Int.random(in: 0..<count, using: &generator)]
      }
    }
  }

  /// The standard deviation of values; `nil` for fewer than two.
  static func deviation(_ values: [Double]) -> Double? {
    guard values.count > 1 else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }
}
