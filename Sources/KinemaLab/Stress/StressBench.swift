package import KinemaAction
import KinemaCounting
import KinemaFiles
import KinemaPose
import KinemaRandom
import KinemaReport
import KinemaStreams
import KinemaSynth

/// `kinema bench stress`: which windows of everyday life, sport and dance are named an exercise, where poses
/// fail in one way at a time.
package struct StressBench: Sendable {
  package var models: [(name: String, classifier: ActionClassifier)]
  /// Motion capture of people whom no model has learnt from; `nil` for the library's motions.
  package var capture: MotionCapture?
  /// Windows of synthetic people in each row.
  package var windowCount = 1000
  package var seed: UInt64 = 1

  /// An exercise is named from this probability on, as `kinema classify` does by default.
  private static let leastConfidence: Float = 0.6
  private static let windowDuration = 2.0
  /// From one window of a recording to the next, in seconds.
  private static let stride = 1.0

  package init(models: [(name: String, classifier: ActionClassifier)]) { self.models = models }

  /// A share of windows, with its standard error; people are what is drawn at random.
  package struct Share: Codable, Sendable {
    package var value = 0.0
    package var deviation = 0.0
  }

  package struct Row: Codable, Sendable {
    package let model, name: String
    /// The windows that show no exercise.
    package let windows: Int
    /// Those that are named an exercise.
    package let named: Share
    /// As what, the most frequent first.
    package let names: [String]
    /// Windows of walking whose most likely label is that; `nil` for a model without it.
    package let walking: Share?
  }

  package struct Report: BenchReport {
    package var schema = 1
    package let motion: String
    package let people: Int
    package let seed: UInt64
    package let rows: [Row]

    package var table: String {
      var text = ""
      for model in Set(rows.map(\.model)).sorted() {
        var table = TextTable([
          ("\(model), \(motion), \(people) people", .left), ("windows", .right),
          ("named an exercise", .right), ("walking", .right), ("named", .left),
        ])
        for row in rows where row.model == model {
          table.add([
            row.name, "\(row.windows)", row.named.text, row.walking?.text ?? "–",
            row.names.joined(separator: ", "),
          ])
        }
        text += table.text
      }
      return text
    }
  }

  /// A window without an exercise, as one of the cases shows it.
  private struct Window: Sendable {
    let person: String
    let isWalking: Bool
    let values: [Float]
  }

  package func run(
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws -> Report {
    // Cameras of synthetic people are where their motions have them.
    let cases = StressCase.all.filter { capture != nil || $0.highShare == 0 }
    let results = try await ConcurrentWork.run(cases.count, limit: 2, progress: progress) {
      number in
      let windows = windows(of: cases[number])
      let rows = try models.map { try row(cases[number], windows, of: $0) }
      return (rows: rows, people: Set(windows.map(\.person)).count)
    }
    return Report(
      motion: capture == nil ? "synthetic" : "motion capture",
      people: results.map(\.people).max() ?? 0, seed: seed, rows: results.flatMap(\.rows))
  }

  private func row(
    _ stress: StressCase, _ windows: [Window],
    of model: (name: String, classifier: ActionClassifier)
  ) throws -> Row {
    let classifier = model.classifier
    var named: [String: Int] = [:]
    var exercises: [(person: String, isHit: Bool)] = []
    var walking: [(person: String, isHit: Bool)] = []
    for window in windows {
      guard let best = try classifier.predict(window.values).mostLikely else { continue }
      let isNamed =
        classifier.labelKinds.isExercise(best.label) && best.probability >= Self.leastConfidence
      if isNamed { named[best.label, default: 0] += 1 }
      exercises.append((window.person, isNamed))
      if window.isWalking { walking.append((window.person, best.label == "walking")) }
    }
    let names = named.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return Row(
      model: model.name, name: stress.name, windows: windows.count, named: Share(of: exercises),
      names: names.prefix(3).map { "\($0.key) \($0.value)" },
      walking: classifier.labels.contains("walking") ? Share(of: walking) : nil)
  }

  private func windows(of stress: StressCase) -> [Window] {
    capture.map { captured($0, stress) } ?? synthetic(stress)
  }

  private func captured(_ capture: MotionCapture, _ stress: StressCase) -> [Window] {
    var view = CaptureView()
    (view.nearShare, view.highShare) = (stress.nearShare, stress.highShare)
    view.takesForUpright = false
    let frameCount = Int(saturating: Self.windowDuration * MotionCapture.frameRate)
    var windows: [Window] = []
    for recording in capture.recordings where !recording.label.isExercise {
      let last = recording.motion.duration - Self.windowDuration
      for start in Swift.stride(from: 0, through: last, by: Self.stride) {
        // The same views in each row.
        var generator = Self.generator(seed, windows.count)
        let values = view.values(
          of: recording.motion, from: start, frameCount: frameCount,
          frameRate: MotionCapture.frameRate, using: &generator)
        windows.append(
          Window(
            person: recording.subject, isWalking: recording.label == .walking,
            values: stress.applied(to: values, using: &generator)))
      }
    }
    return windows
  }

  private static func generator(_ seed: UInt64, _ index: Int) -> SeededGenerator {
    var outer = SeededGenerator(seed: seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95)
    return SeededGenerator(seed: outer.next())
  }

  private func synthetic(_ stress: StressCase) -> [Window] {
    let kinds = LabelKinds()
    let classes = SyntheticMotionClass.workout.filter { !kinds.isExercise($0.label) }
    let sampler = SyntheticMotionSampler(
      classes: classes.map { $0.framed(nearShare: stress.nearShare) },
      duration: Self.windowDuration, seed: seed &+ 0x57E5)
    return (0..<windowCount).map { index in
      let sample = sampler.sample(index)
      var generator = Self.generator(seed, index)
      return Window(
        person: "\(index)", isWalking: sample.label == CaptureLabel.walking.label,
        values: stress.applied(to: sample.values, using: &generator))
    }
  }
}

extension StressBench.Share {
  /// The share of hits; windows of one person are alike, so that the deviation is that of people.
  package init(of windows: [(person: String, isHit: Bool)]) {
    let count = Double(max(1, windows.count))
    let share = Double(windows.count(where: \.isHit)) / count
    value = share
    let people = Dictionary(grouping: windows, by: \.person).values
    deviation = people.reduce(0.0) { sum, own in
      let excess = Double(own.count(where: \.isHit)) - share * Double(own.count)
      return sum + (excess / count) * (excess / count)
    }.squareRoot()
  }

  var text: String { "\((100 * value).fixed(1)) ± \((100 * deviation).fixed(1)) %" }
}
