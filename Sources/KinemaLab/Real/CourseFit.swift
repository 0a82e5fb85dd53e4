package import Foundation
package import KinemaAction
import KinemaCounting
import KinemaRandom
import KinemaStreams
import KinemaTraining

/// Chooses how a model's windows are read in their course live, by real clips.
///
/// Files keep their rules: those that are chosen by the same measure name less that is false and miss as many
/// segments more, so that F1@50 stays within its deviation.
///
/// Many rules are drawn around those that hold, each is tried on all clips, and the best of each round are
/// where the next one begins. How much the choice brings is measured by cross-validation: what each part
/// of the sources has from the rules that are best on the others.
package struct CourseFit: Sendable {
  /// A clip with the windows of its prominent person, as a stream gives them.
  package struct Take: Sendable {
    let clip: LabelledClips.Clip
    let timeRange: ClosedRange<TimeInterval>
    /// With all windows before the first full one.
    let windows: [ActionPrediction]

    package init(
      clip: LabelledClips.Clip, timeRange: ClosedRange<TimeInterval>, windows: [ActionPrediction]
    ) {
      (self.clip, self.timeRange, self.windows) = (clip, timeRange, windows)
    }
  }

  /// What one way of reading has on each source.
  private struct Trial: Sendable {
    let course: ActionDecoder.Course
    let tallies: [RealPeopleTally]
  }

  /// The outcome.
  package struct Result: Sendable {
    package let course: ActionDecoder.Course
    /// By source: with the rules of before, and with those that are best on the other parts.
    package let (before, after): ([RealPeopleTally], [RealPeopleTally])
  }

  let classifier: ActionClassifier
  let takes: [Take]
  /// How many sources are left out at a time: all are divided into so many parts.
  private static let partCount = 5
  private static let (roundCount, drawCount) = (4, 60)
  private let labels: Set<String>
  private let exercises: Set<String>
  private let sources: [String]
  private let recognition: ActionRecognizer.Rules

  package init(_ classifier: ActionClassifier, _ takes: [Take]) {
    (self.classifier, self.takes) = (classifier, takes)
    labels = Set(classifier.labels)
    exercises = Set(classifier.labels.filter { classifier.labelKinds.isExercise($0) })
    sources = Array(Set(takes.map(\.clip.source))).sorted()
    recognition = ActionRecognizer.Rules(of: classifier)
  }

  /// The figures of what the choice brings.
  package func report(of result: Result) -> RealPeopleReport {
    RealPeopleReport(
      [
        .init(name: "before", exercises: exercises, trainings: [result.before]),
        .init(name: "chosen on other sources", exercises: exercises, trainings: [result.after]),
      ], clipCount: takes.count, sourceCount: sources.count)
  }

  // MARK: - Trying

  private func trial(_ course: ActionDecoder.Course) -> Trial {
    let stream = ActionDecoder(of: classifier, recognition: recognition, rules: course.live)
    var tallies = [String: RealPeopleTally]()
    for take in takes {
      var reading = ClipReading(
        clip: take.clip, labels: labels, exercises: exercises, timeRange: take.timeRange,
        decoded: [])
      reading.readTimelines(
        live: TimelineEvaluation.Stretch.ofStream(
          streamed(take.windows, by: stream), until: take.timeRange.upperBound),
        groups: recognition.groups ?? [:])
      tallies[take.clip.source, default: .init()] += reading.tally
    }
    return Trial(course: course, tallies: sources.map { tallies[$0] ?? .init() })
  }

  /// The windows as a stream reports them.
  private func streamed(
    _ windows: [ActionPrediction], by decoder: ActionDecoder
  ) -> [ActionPrediction] {
    var (memory, hasOpening) = (ActionDecoder.Memory(), false)
    return windows.compactMap { window in
      guard !window.probabilities.isEmpty else {
        memory = ActionDecoder.Memory()
        return window
      }
      var window = window
      decoder.read(
        &window, classifier.labels.map { window.probabilities[$0] ?? 0 }, by: recognition,
        after: &memory)
      guard window.isOpening else {
        hasOpening = false
        return window
      }
      hasOpening = hasOpening || window.status == .action
      return hasOpening ? window : nil
    }
  }

  // MARK: - Choosing

  /// - Parameter progress: How many of how many rules are tried.
  package func run(
    threadCount: Int, progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void
  ) async throws -> Result {
    var trials = [trial(recognition.course ?? .init())]
    let parts = sources.indices.map { $0 % Self.partCount }
    for round in 0..<Self.roundCount {
      var starts = [best(of: trials) { _ in true }]
      starts += (0..<Self.partCount).map { part in best(of: trials) { parts[$0] != part } }
      let known = trials.count
      let from = starts
      trials += try await ConcurrentWork.run(
        Self.drawCount, limit: threadCount,
        progress: { done, _ in progress(known + done, 1 + Self.roundCount * Self.drawCount) }
      ) { number in
        var generator = SeededGenerator(seed: UInt64(1 + round * Self.drawCount + number))
        var course = from[number % from.count].course
        Self.vary(&course.live, by: 1 / Float(1 + round), using: &generator)
        return trial(course)
      }
    }
    let before = trials[0]
    var after = before.tallies
    for part in 0..<Self.partCount {
      let chosen = best(of: trials) { parts[$0] != part }
      for index in after.indices where parts[index] == part { after[index] = chosen.tallies[index] }
    }
    return Result(
      course: best(of: trials) { _ in true }.course, before: before.tallies, after: after)
  }

  /// The rules that are best on some of the sources.
  private func best(of trials: [Trial], on isMeant: (Int) -> Bool) -> Trial {
    let worths = trials.map { trial in
      Self.worth(
        trial.tallies.indices.filter(isMeant).reduce(into: .init()) { $0 += trial.tallies[$1] })
    }
    return trials[worths.indices.max { worths[$0] < worths[$1] } ?? 0]
  }

  /// One false stretch a minute is as bad as a tenth of the stretches.
  private static let worthOfFalse = 0.1
  /// The median delay of a name up to which it costs nothing, in seconds, and what a second more costs.
  private static let delay = (free: 1.4, cost: 0.5)

  private static func worth(_ tally: RealPeopleTally) -> Double {
    let late = RealPeopleFigure.delay.value(of: tally, exercises: []) ?? 0
    return (tally.matchesLive.value ?? 0) - worthOfFalse * (tally.falseLive.value ?? 0)
      - delay.cost * max(0, late - delay.free)
  }

  // MARK: - Drawing

  private static func vary(
    _ rules: inout ActionDecoder.Rules, by amount: Float, using generator: inout SeededGenerator
  ) {
    func factor(_ deviation: Float, _ value: inout Double, most: Double = .infinity) {
      value = min(most, value * exp(Double(amount * deviation * generator.normal())))
    }
    factor(0.35, &rules.leastDuration)
    factor(0.5, &rules.independence)
    factor(0.4, &rules.openingWeight, most: 1)
    factor(0.8, &rules.confusion, most: 0.2)
    factor(0.4, &rules.transition.action, most: 1)
    factor(0.4, &rules.transition.whole, most: 1)
    factor(0.4, &rules.transition.other, most: 1)
    factor(0.3, &rules.costs.change)
    factor(0.3, &rules.costs.partToWhole)
    factor(0.3, &rules.costs.edge)
    factor(0.4, &rules.costs.rest)
    factor(0.4, &rules.costs.part)
    factor(0.4, &rules.costs.transition)
    factor(0.5, &rules.labelCounts.actions)
    rules.stayingMargin = min(
      0.5, max(0, rules.stayingMargin + Double(0.1 * amount * generator.normal())))
  }
}
