package import KinemaAction
import KinemaPose
import KinemaReport
import KinemaStreams
import KinemaSynth
import KinemaTraining

/// `kinema bench few-shot`: takes of one synthetic person teach five movements, other people test.
package struct FewShotBench: Sendable {
  /// How many takes of each movement teach.
  package var takeCount = 3
  /// How many sets of five movements are drawn, each with a person of its own.
  package var setCount = 4
  package var seed: UInt64 = 1
  package var threadCount = 1
  /// What training starts from.
  package var base: ActionClassifier

  package init(base: ActionClassifier) { self.base = base }

  /// How long a take is that teaches, in seconds.
  private static let takeDuration = 8.0
  /// How long a take is that tests.
  private static let testDuration = 4.0
  private static let motionCount = 5
  private static let peopleCount = 40

  package struct Figures: Codable, Sendable {
    /// The mean share of each label's takes that are right, and of its windows.
    package var takes = 0.0
    package var windows = 0.0
    /// The mean time of a training.
    package var seconds = 0.0
  }

  package struct Report: BenchReport {
    let takes, sets, people: Int
    let seed: UInt64
    var fromNothing = Figures()
    var fromBase = Figures()
    var fromNothingWithOther = Figures()
    var fromBaseWithOther = Figures()

    package var table: String {
      var table = TextTable([
        ("\(takes) takes of one person, \(people) others", .left), ("takes", .right),
        ("windows", .right), ("training s", .right),
      ])
      for (name, figures) in [
        ("from nothing", fromNothing), ("from the model", fromBase),
        ("from nothing, other_action by takes", fromNothingWithOther),
        ("from the model, other_action added", fromBaseWithOther),
      ] {
        table.add([
          name, figures.takes.percent, figures.windows.percent, figures.seconds.fixed(1),
        ])
      }
      return table.text
    }
  }

  /// - Throws: ``TrainingError`` where the base is no network to start from.
  package func run(progress: (Int, Int) -> Void = { _, _ in }) async throws -> Report {
    var report = Report(
      takes: takeCount, sets: setCount, people: Self.peopleCount, seed: seed)
    for set in 0..<setCount {
      let task = Task(number: set, of: self)
      let share = 1 / Double(setCount)
      let plain = TransferLearning(from: base, addsOther: false)
      try await report.fromNothing.add(task.figures(nil, withOther: false), share)
      try await report.fromBase.add(task.figures(plain, withOther: false), share)
      try await report.fromNothingWithOther.add(task.figures(nil, withOther: true), share)
      try await report.fromBaseWithOther.add(
        task.figures(TransferLearning(from: base), withOther: true), share)
      progress(set + 1, setCount)
    }
    return report
  }

  /// Five movements, and the person who shows them.
  private struct Task {
    let bench: FewShotBench
    let motions: [Motion]
    /// The takes of the movements, and of other things that the person does.
    let examples, otherExamples: [ActionExample]
    /// What other people do, by label.
    let tests: [(label: String, examples: [ActionExample])]
    let seed: UInt64

    init(number: Int, of bench: FewShotBench) {
      self.bench = bench
      var generator = SeededGenerator(seed: bench.seed &* 1000 &+ UInt64(number))
      var rest = Motion.heldOut
      let chosen = (0..<motionCount).map { _ in
        rest.remove(at: Int(generator.next() % UInt64(rest.count)))
      }
      motions = chosen
      let person = SyntheticPerson.random(using: &generator)
      examples = chosen.flatMap { motion in
        var sampler = SyntheticMotionSampler(
          classes: [SyntheticMotionClass(motion.name, motions: [motion])],
          duration: Double(bench.takeCount) * takeDuration, seed: generator.next())
        sampler.person = person
        return sampler.takes(0, count: bench.takeCount).enumerated().map { index, take in
          ActionExample(
            label: motion.name, file: "\(motion.name) \(index + 1)",
            videoID: "\(motion.name) \(index + 1)", timeRange: 0..<takeDuration, poses: take.poses)
        }
      }
      seed = generator.next() >> 1
      let otherMotions = Motion.library.filter { !chosen.contains($0) }
      let other = SyntheticMotionClass(TransferLearning.otherLabel, motions: otherMotions)
      var sampler = SyntheticMotionSampler(
        classes: [other], duration: takeDuration, seed: generator.next())
      sampler.person = person
      otherExamples = FewShotBench.examples(sampler, count: bench.takeCount)
      let testSeed = seed &+ 1
      tests = (chosen.map { SyntheticMotionClass($0.name, motions: [$0]) } + [other]).map { kind in
        let sampler = SyntheticMotionSampler(
          classes: [kind], duration: testDuration, seed: testSeed)
        return (kind.label, FewShotBench.examples(sampler, count: peopleCount))
      }
    }

    func figures(_ transfer: TransferLearning?, withOther: Bool) async throws -> Figures {
      var parameters =
        transfer == nil ? ActionClassifierParameters() : TransferLearning.parameters
      parameters.validation = nil
      parameters.seed = seed
      var options = ActionClassifierTrainingSession.Options()
      options.threadCount = bench.threadCount
      let start = ContinuousClock.now
      let session = try ActionClassifierTrainingSession(
        training: transfer == nil && withOther ? examples + otherExamples : examples,
        parameters: parameters, transferring: transfer, options: options)
      guard let model = try await session.run() else { return Figures() }
      var figures = Figures(seconds: (ContinuousClock.now - start) / .seconds(1))
      let classifier = try model.classifier()
      let share = 1 / Double(classifier.labels.count)
      for test in tests where classifier.labels.contains(test.label) {
        let result = try ActionClassifierEvaluation(
          classifier: classifier, examples: test.examples, options: .init(stride: 10))
        figures.takes += share * result.videos.accuracy
        figures.windows += share * result.windows.accuracy
      }
      return figures
    }
  }

  private static func examples(_ sampler: SyntheticMotionSampler, count: Int) -> [ActionExample] {
    (0..<count).map { index in
      let sample = sampler.sample(index)
      let name = "\(sample.label) \(index + 1)"
      return ActionExample(
        label: sample.label, file: name, videoID: name, timeRange: 0..<sampler.duration,
        poses: sample.poses)
    }
  }
}

extension FewShotBench.Figures {
  fileprivate mutating func add(_ other: Self, _ share: Double) {
    takes += share * other.takes
    windows += share * other.windows
    seconds += share * other.seconds
  }
}
