package import Foundation
package import KinemaAction
import KinemaCounting
import KinemaRandom
import KinemaStreams
import KinemaTraining

/// Chooses how a model's windows are read in their course, in files and live, by real clips.
///
/// Many rules are drawn around those that hold, after some that differ from them in one number; each is tried on
/// all clips, live also after something else (``RunningStream``), and the best of each round are where the next one
/// begins. How much the choice brings is measured by cross-validation: what each part of the sources has from the
/// rules that are best on the others, for several divisions into parts, since one alone is a matter of chance. Where
/// that is no more than its own deviation over the sources and divisions, the rules of before stay.
package struct CourseFit: Sendable {
  /// A clip with the windows of its prominent person, as a stream gives them.
  package struct Take: Sendable {
    let clip: LabelledClips.Clip
    let timeRange: ClosedRange<TimeInterval>
    /// With all windows before the first full one.
    let windows: [ActionPrediction]
    /// Those of the clip after something else (``RunningStream``), if there is anything.
    let running: [ActionPrediction]?

    package init(
      clip: LabelledClips.Clip, timeRange: ClosedRange<TimeInterval>, windows: [ActionPrediction],
      running: [ActionPrediction]? = nil
    ) {
      (self.clip, self.timeRange) = (clip, timeRange)
      (self.windows, self.running) = (windows, running)
    }
  }

  /// The two courses, which are chosen each for itself.
  private enum Reading: CaseIterable {
    case file, live

    var rules: WritableKeyPath<ActionDecoder.Course, ActionDecoder.Rules> {
      switch self {
      case .file: \.file
      case .live: \.live
      }
    }

    /// What of a tally it decides.
    func copy(_ tally: RealPeopleTally, to result: inout RealPeopleTally) {
      switch self {
      case .file: result.copyFiles(of: tally)
      case .live: result.copyLive(of: tally)
      }
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
    /// By source, with the rules of before.
    package let before: [RealPeopleTally]
    /// By division of the sources and by source, with the rules that are best on the division's other parts:
    /// also where that is no reason to change those of before.
    package let after: [[RealPeopleTally]]
  }

  let classifier: ActionClassifier
  let takes: [Take]
  /// How many sources are left out at a time: all are divided into so many parts.
  private static let partCount = 5
  /// How often they are divided, each time otherwise.
  private static let divisionCount = 5
  private static let (roundCount, drawCount) = (6, 90)
  /// What is tried before any draw, with the other rules as they are: a single number that most depends on.
  private static let windowShares = stride(from: 0.1, through: 0.9, by: 0.1)
  private static let recentShares = stride(from: 0.1, through: 0.5, by: 0.1)
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
        .init(name: "chosen on other sources", exercises: exercises, trainings: result.after),
      ], clipCount: takes.count, sourceCount: sources.count, repeated: .divisions)
  }

  // MARK: - Trying

  private func trial(_ course: ActionDecoder.Course) -> Trial {
    let file = ActionDecoder(of: classifier, recognition: recognition, rules: course.file)
    let stream = ActionDecoder(of: classifier, recognition: recognition, rules: course.live)
    var tallies = [String: RealPeopleTally]()
    for take in takes {
      var reading = ClipReading(
        clip: take.clip, labels: labels, exercises: exercises, timeRange: take.timeRange,
        decoded: file.decode(take.windows.filter { !$0.isOpening }))
      reading.readSegments(frameTimes: [], seen: [])
      func live(_ windows: [ActionPrediction]) -> [TimelineEvaluation.Stretch] {
        TimelineEvaluation.Stretch.ofStream(
          streamed(windows, by: stream), until: take.timeRange.upperBound)
      }
      reading.readTimelines(live: live(take.windows), groups: recognition.groups ?? [:])
      if let running = take.running {
        reading.readRunning(live(running), groups: recognition.groups ?? [:])
      }
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
    for share in Self.windowShares {
      var course = trials[0].course
      for reading in Reading.allCases { course[keyPath: reading.rules].windowShare = share }
      trials.append(trial(course))
    }
    for share in Self.recentShares {
      var course = trials[0].course
      course.live.recentShare = share
      trials.append(trial(course))
    }
    let divisions = divisions
    let count = trials.count + Self.roundCount * Self.drawCount
    for round in 0..<Self.roundCount {
      let parts = divisions[round % divisions.count]
      let starts = Reading.allCases.map { reading in
        [best(of: trials, reading) { _ in true }]
          + (0..<Self.partCount).map { part in best(of: trials, reading) { parts[$0] != part } }
      }
      let known = trials.count
      trials += try await ConcurrentWork.run(
        Self.drawCount, limit: threadCount,
        progress: { done, _ in progress(known + done, count) }
      ) { number in
        var generator = SeededGenerator(seed: UInt64(1 + round * Self.drawCount + number))
        var course = ActionDecoder.Course()
        for (reading, starts) in zip(Reading.allCases, starts) {
          course[keyPath: reading.rules] =
            starts[number % starts.count].course[keyPath: reading.rules]
          Self.vary(&course[keyPath: reading.rules], by: 2 / Float(2 + round), using: &generator)
        }
        Self.varyRecent(&course.live, by: 2 / Float(2 + round), using: &generator)
        return trial(course)
      }
    }
    let before = trials[0]
    var course = before.course
    var after = divisions.map { _ in before.tallies }
    for reading in Reading.allCases {
      let validated = divisions.map { crossValidated(trials, reading, in: $0) }
      for (division, tallies) in validated.enumerated() {
        for (source, tally) in tallies.enumerated() {
          reading.copy(tally, to: &after[division][source])
        }
      }
      guard isBetter(validated, than: before.tallies, reading) else { continue }
      course[keyPath: reading.rules] =
        best(of: trials, reading) { _ in true }.course[keyPath: reading.rules]
    }
    return Result(course: course, before: before.tallies, after: after)
  }

  /// The part of each source, by division.
  private var divisions: [[Int]] {
    (0..<Self.divisionCount).map { division in
      var order = Array(sources.indices)
      var generator = SeededGenerator(seed: UInt64(1 + division))
      generator.shuffle(&order)
      var parts = order
      for (place, source) in order.enumerated() { parts[source] = place % Self.partCount }
      return parts
    }
  }

  /// By source: what it has from the rules that are best on the other parts.
  private func crossValidated(
    _ trials: [Trial], _ reading: Reading, in parts: [Int]
  ) -> [RealPeopleTally] {
    let chosen = (0..<Self.partCount).map { part in
      best(of: trials, reading) { parts[$0] != part }
    }
    return parts.enumerated().map { source, part in chosen[part].tallies[source] }
  }

  /// Whether some are better than others by more than the deviation of that over the sources and divisions.
  private func isBetter(
    _ divisions: [[RealPeopleTally]], than others: [RealPeopleTally], _ reading: Reading
  ) -> Bool {
    func worth(_ tallies: [RealPeopleTally]) -> Double {
      self.worth(tallies.reduce(into: .init(), +=), reading)
    }
    let differences = zip(
      SourceBootstrap.draws(of: divisions), SourceBootstrap.draws(of: [others])
    ).map { self.worth($0, reading) - self.worth($1, reading) }
    let mean = divisions.map(worth).reduce(0, +) / Double(divisions.count)
    return mean - worth(others) > SourceBootstrap.deviation(differences) ?? 0
  }

  /// The rules that are best on some of the sources.
  private func best(
    of trials: [Trial], _ reading: Reading, on isMeant: (Int) -> Bool
  ) -> Trial {
    let worths = trials.map { trial in
      worth(
        trial.tallies.indices.filter(isMeant).reduce(into: .init()) { $0 += trial.tallies[$1] },
        reading)
    }
    return trials[worths.indices.max { worths[$0] < worths[$1] } ?? 0]
  }

  /// One false stretch a minute is as bad as so many of the stretches.
  private static let worthOfFalse = 0.15
  /// What all segments count against all stretches: exercises as much as labels that are known, as a name that
  /// is missed costs a person more than a false one beside others.
  private static let worthOfSegments = (known: 1.5, others: 0.5)
  /// The median delay of a name up to which it costs nothing, in seconds, and what a second more costs.
  private static let delay = (free: 1.4, cost: 0.5)

  private func worth(_ tally: RealPeopleTally, _ reading: Reading) -> Double {
    func value(_ figure: RealPeopleFigure) -> Double {
      figure.value(of: tally, exercises: exercises) ?? 0
    }
    switch reading {
    case .file:
      return value(.f1InFiles) - Self.worthOfFalse * value(.falseInFiles)
        + Self.worthOfSegments.known * (value(.exercises) + value(.known))
        + Self.worthOfSegments.others * value(.others)
    case .live:
      return value(.f1Live) - Self.worthOfFalse * value(.falseLive)
        - Self.delay.cost * max(0, value(.delay) - Self.delay.free)
        + value(.f1Running) - Self.worthOfFalse * value(.falseRunning)
    }
  }

  // MARK: - Drawing

  private static func varyRecent(
    _ rules: inout ActionDecoder.Rules, by amount: Float, using generator: inout SeededGenerator
  ) {
    let share = (rules.recentShare ?? 0) + Double(0.15 * amount * generator.normal())
    rules.recentShare = min(0.95, max(0, share))
  }

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
    let share = (rules.windowShare ?? 0) + Double(0.3 * amount * generator.normal())
    rules.windowShare = min(0.95, max(0, share))
  }
}
