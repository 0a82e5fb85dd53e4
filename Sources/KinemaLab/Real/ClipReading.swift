package import Foundation
package import KinemaAction
package import KinemaCounting
package import KinemaTraining

/// What a model says of one clip, beside what is true.
package struct ClipReading {
  let clip: LabelledClips.Clip
  let labels: Set<String>
  let exercises: Set<String>
  let timeRange: ClosedRange<TimeInterval>
  /// The windows of the prominent person, as the table of a file has them.
  let decoded: [ActionPrediction]
  package private(set) var tally = RealPeopleTally()
  package private(set) var failures: [RealPeopleReport.Failure] = []

  /// The share of the frames of a segment that must show a person; as for windows.
  private static let leastPoses = 0.6

  package init(
    clip: LabelledClips.Clip, labels: Set<String>, exercises: Set<String>,
    timeRange: ClosedRange<TimeInterval>, decoded: [ActionPrediction]
  ) {
    (self.clip, self.labels, self.exercises) = (clip, labels, exercises)
    (self.timeRange, self.decoded) = (timeRange, decoded)
  }

  /// The segments with what the model should call them, within the clip.
  private var segments: [(truth: String, segment: LabelledClips.Segment)] {
    clip.segments.compactMap { segment in
      var segment = segment
      segment.timeRange = segment.timeRange.clamped(
        to: timeRange.lowerBound..<max(timeRange.lowerBound, timeRange.upperBound))
      guard !segment.timeRange.isEmpty,
        let truth = RealLabels.truth(of: segment.label, among: labels)
      else { return nil }
      return (truth, segment)
    }
  }

  /// A name as it is compared: what is no exercise and not asked for is one thing.
  private func name(_ label: String?, for truth: String) -> String {
    guard let label else { return RealLabels.none }
    return label == truth || exercises.contains(label) || truth != RealLabels.none
      ? label : RealLabels.none
  }

  // MARK: - Segments

  package mutating func readSegments(frameTimes: [TimeInterval], seen: [TimeInterval]) {
    let shown = TimelineEvaluation.Stretch.ofFile(decoded)
    for (truth, segment) in segments {
      let range = segment.timeRange
      let windows = Self.windows(decoded, of: range)
      for window in windows {
        let top = window.probabilities.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        tally.windows[truth, default: .init()].add(name(top, for: truth) == truth)
        guard truth == RealLabels.none || !exercises.contains(truth) else { continue }
        tally.namedWindows.add(
          window.isModelLabel && window.topLabel.map(exercises.contains) ?? false)
      }
      let sums = windows.reduce(into: [String: Double]()) {
        $0.merge($1.probabilities, uniquingKeysWith: +)
      }
      let top = sums.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      let isRight = name(top, for: truth) == truth && (top != nil || truth == RealLabels.none)
      tally.segments[truth, default: .init()].add(isRight)
      let longest = self.longest(shown, in: range)
      let isShown = name(longest, for: truth) == truth
      tally.shown[truth, default: .init()].add(isShown)
      guard !isRight || !isShown else { continue }
      let frames = frameTimes.count(where: range.contains)
      let poses = seen.count(where: range.contains)
      let isLost = Double(poses) < Self.leastPoses * Double(frames)
      failures.append(
        .init(
          file: clip.file, label: segment.label, start: range.lowerBound, end: range.upperBound,
          likeliest: top, shown: longest,
          kind: isLost ? .poseLost : isRight ? .course : .classifier))
    }
  }

  /// What a window that is certain of something else counts as.
  private static let leastProbability = 0.01

  /// Reads how probable the network, which sees each window alone, finds what is done.
  ///
  /// The logarithmic score (Good, *Rational Decisions*, 1952) differs between two networks also where the
  /// segments that are right are the same.
  ///
  /// - Parameter windows: With the network's own probabilities.
  package mutating func readEvidence(_ windows: [ActionPrediction]) {
    for (truth, segment) in segments {
      let inside = Self.windows(windows, of: segment.timeRange)
      guard !inside.isEmpty else { continue }
      let sum = inside.reduce(0) { sum, window in
        let probable = window.probabilities.filter { name($0.key, for: truth) == truth }
        return sum + log(max(Self.leastProbability, probable.values.reduce(0, +)))
      }
      tally.evidence[truth, default: .init()] += .init(right: sum / Double(inside.count), all: 1)
    }
  }

  /// The windows with their middle in a range; where it is too short for one, that nearest to its middle.
  private static func windows(
    _ windows: [ActionPrediction], of range: Range<TimeInterval>
  ) -> [ActionPrediction] {
    func middle(_ window: ActionPrediction) -> TimeInterval {
      (window.timeRange.lowerBound + window.timeRange.upperBound) / 2
    }
    let classified = windows.filter { !$0.probabilities.isEmpty }
    let inside = classified.filter { range.contains(middle($0)) }
    guard inside.isEmpty else { return inside }
    let center = (range.lowerBound + range.upperBound) / 2
    let nearest = classified.min { abs(middle($0) - center) < abs(middle($1) - center) }
    return [nearest].compactMap(\.self).filter { $0.timeRange.contains(center) }
  }

  /// The name that most of a range has; `nil` where that is none.
  private func longest(
    _ stretches: [TimelineEvaluation.Stretch], in range: Range<TimeInterval>
  ) -> String? {
    var seconds: [String: TimeInterval] = [:]
    for stretch in stretches {
      let common = stretch.timeRange.clamped(to: range)
      seconds[stretch.label, default: 0] += common.upperBound - common.lowerBound
    }
    let unnamed = range.upperBound - range.lowerBound - seconds.values.reduce(0, +)
    let top = seconds.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return top.flatMap { $0.value >= unnamed ? $0.key : nil }
  }

  // MARK: - Over time

  /// - Parameter live: What a live page shows.
  package mutating func readTimelines(
    live: [TimelineEvaluation.Stretch], groups: [String: [String]]
  ) {
    let file = evaluation(of: TimelineEvaluation.Stretch.ofFile(decoded), groups)
    let stream = evaluation(of: live, groups)
    let minutes = file.seconds / 60
    tally.falseInFiles += .init(right: Double(file.falseStretches.count), all: minutes)
    tally.falseLive += .init(right: Double(stream.falseStretches.count), all: minutes)
    tally.matchesInFiles += Self.matches(file)
    tally.matchesLive += Self.matches(stream)
    tally.delays += stream.delays
    for (_, stretch) in file.falseStretches {
      failures.append(
        .init(
          file: clip.file, label: nil, start: stretch.timeRange.lowerBound,
          end: stretch.timeRange.upperBound, likeliest: nil, shown: stretch.label,
          kind: .falseStretch))
    }
  }

  /// - Parameter live: What a live page shows of the clip after something else (``RunningStream``).
  package mutating func readRunning(
    _ live: [TimelineEvaluation.Stretch], groups: [String: [String]]
  ) {
    let stream = evaluation(of: live, groups)
    tally.falseRunning += .init(
      right: Double(stream.falseStretches.count), all: stream.seconds / 60)
    tally.matchesRunning += Self.matches(stream)
    tally.delaysRunning += stream.delays
  }

  private func evaluation(
    of named: [TimelineEvaluation.Stretch], _ groups: [String: [String]]
  ) -> TimelineEvaluation {
    let segments = segments.map { truth, segment in
      TimelineEvaluation.Stretch(
        exercises.contains(truth) ? truth : RealLabels.none, segment.timeRange)
    }
    let acts = named.filter { (groups[$0.label] ?? [$0.label]).allSatisfy(exercises.contains) }
    return TimelineEvaluation([
      .init(file: clip.file, segments: segments, named: acts, groups: groups)
    ])
  }

  private static func matches(_ evaluation: TimelineEvaluation) -> RealPeopleTally.Share {
    let all = evaluation.videos.reduce(0) { $0 + $1.truth.count + $1.named.count }
    return .init(right: (evaluation.f1(overlap: 0.5) ?? 0) * Double(all), all: Double(all))
  }

  // MARK: - Counts

  /// - Parameters:
  ///   - repetitions: Repetitions of any movement, counted without a classifier.
  ///   - named: Repetitions that were counted beside the model.
  package mutating func readCounts(_ repetitions: [Repetition], named: [Repetition]) {
    let wrong = named.count { repetition in
      let labels = segments.filter { Self.lies(repetition, in: $0.segment.timeRange) }.map(\.truth)
      return !labels.isEmpty && !labels.contains { $0 == repetition.action }
    }
    let seconds = segments.reduce(0) {
      $0 + $1.segment.timeRange.upperBound - $1.segment.timeRange.lowerBound
    }
    tally.namedWrongly += .init(right: Double(wrong), all: seconds / 60)
    for segment in clip.segments {
      guard let truth = segment.repetitionCount, truth > 0 else { continue }
      let range = segment.timeRange
      let counted = repetitions.filter { Self.lies($0, in: range) }
      tally.withinOne.add(abs(counted.count - truth) <= 1)
      tally.exact.add(counted.count == truth)
      if counted.count != truth {
        failures.append(
          .init(
            file: clip.file, label: segment.label, start: range.lowerBound, end: range.upperBound,
            likeliest: nil, shown: nil, kind: .count, repetitions: truth,
            counted: counted.map(\.end)))
      }
      let label = RealLabels.truth(of: segment.label, among: labels)
      guard let label, exercises.contains(label) else { continue }
      let right = named.count { $0.action == label && Self.lies($0, in: range) }
      tally.namedWithinOne.add(abs(right - truth) <= 1)
    }
  }

  /// Whether a repetition is one of a segment: by its middle, as the body may rest long at its ends.
  private static func lies(_ repetition: Repetition, in range: Range<TimeInterval>) -> Bool {
    range.contains((repetition.start + repetition.end) / 2)
  }
}
