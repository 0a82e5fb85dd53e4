package import Foundation
package import KinemaCoach
import KinemaRandom
import KinemaReport
import KinemaSynth

/// `kinema bench form --motion`: how well right and wrong executions of movements of rehabilitation are
/// distinguished, of people who were not learned from, and learns the models of `kinema coach`.
///
/// Motion capture is filmed by simulated cameras anywhere round the person, and seen by a simulated pose
/// network.
package struct QualityFit: Sendable {
  /// How often each recording is filmed.
  package var viewCount = 12
  package var seed: UInt64 = 1
  /// By how much weights are drawn to zero: the precision of a Gaussian prior on each.
  package var ridge = 160.0

  /// Executions of a movement: of one person, right or wrong.
  private struct Sample {
    let person: String
    /// The recording, of which there are several views.
    let recording: String
    let isRight: Bool
    let extents: RepetitionExtents
  }

  /// The movements by the labels of the folder, of UI-PRMD (Vakanski et al., *Data* 3, 2018).
  private static let movements = [
    "deep squat": "deep_squats", "hurdle step": "hurdle_steps", "inline lunge": "inline_lunges",
    "side lunge": "standing_side_lunges", "sit to stand": "sit_to_stands",
    "standing active straight leg raise": "straight_leg_raises",
    "standing shoulder abduction": "shoulder_abductions",
    "standing shoulder extension": "shoulder_extensions",
    "standing shoulder internal-external rotation": "shoulder_rotations",
    "standing shoulder scaption": "shoulder_scaptions",
  ]
  /// What the label of a wrong execution ends with.
  private static let wrong = " (incorrect form)"
  /// By how much a repetition may be found too short at each end, as a share of it.
  private static let cutShare: ClosedRange<Float> = 0...0.08

  private let samples: [String: [Sample]]

  /// - Throws: ``KinemaTraining/TrainingError`` for a folder without motion capture.
  package init(
    contentsOf folder: URL, viewCount: Int = 12, seed: UInt64 = 1,
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) throws {
    (self.viewCount, self.seed) = (viewCount, seed)
    let sequences = try MotionCapture.sequences(in: folder) { row in
      let isRight = !row.label.hasSuffix(Self.wrong)
      let name = isRight ? row.label : String(row.label.dropLast(Self.wrong.count))
      return Self.movements[name].map { (movement: $0, isRight: isRight) }
    }
    var samples: [String: [Sample]] = [:]
    for (index, sequence) in sequences.enumerated() {
      progress(index, sequences.count)
      for view in 0..<viewCount {
        let place = UInt64(index * viewCount + view)
        var generator = SeededGenerator(seed: seed &+ place &* 0xD134_2543_DE82_EF95)
        generator = SeededGenerator(seed: generator.next())
        guard let extents = Self.extents(of: sequence.motion, using: &generator) else { continue }
        samples[sequence.label.movement, default: []].append(
          Sample(
            person: sequence.subject, recording: sequence.name, isRight: sequence.label.isRight,
            extents: extents))
      }
    }
    self.samples = samples
  }

  private static func extents(
    of motion: CapturedMotion, using generator: inout SeededGenerator
  ) -> RepetitionExtents? {
    let camera = ObservingCamera(
      for: .standing, duration: motion.duration, mayTurn: false, nearShare: 0, using: &generator)
    let start = Double(generator.uniform(cutShare)) * motion.duration
    let end = (1 - Double(generator.uniform(cutShare))) * motion.duration
    let times = (0..<motion.frames.count).map { Double($0) / motion.frameRate }
      .filter { start <= $0 && $0 <= end }
    let (poses, aspectRatio) = camera.poses(
      of: SyntheticPerson(stature: motion.stature), times.map(motion.skeleton), at: times,
      using: &generator)
    let track = BodyTrack(poses, aspectRatio: aspectRatio)
    return RepetitionExtents(track, 0..<poses.count)
  }

  // MARK: - Figures

  package struct Report: BenchReport {
    package struct Row: Encodable, Sendable {
      package var movement: String
      /// Repetitions, each seen by several cameras, and those of which something can be said.
      package var repetitions, evaluated: Int
      /// Of the people who teach, each measured by a model of the others, the area under the curve of right
      /// against wrong ones; its deviation is that of the people.
      package var area, deviation: Double?
      /// The same of the people who never teach.
      package var heldOutArea: Double?
      /// Of all of these, the right and the wrong ones that get a cue, as a share.
      package var falseCues, cues: Double?
    }

    package var schema = 1
    package var rows: [Row]

    package var table: String {
      var table = TextTable([
        ("movement", .left), ("repetitions", .right), ("evaluated", .right),
        ("AUC, other people", .right), ("AUC, held out", .right), ("right ones with a cue", .right),
        ("wrong ones with a cue", .right),
      ])
      func text(_ value: Double?) -> String { value.map { $0.fixed(2) } ?? "–" }
      for row in rows {
        table.add([
          row.movement, "\(row.repetitions)", "\(row.evaluated)",
          "\(text(row.area)) ± \(text(row.deviation))", text(row.heldOutArea), text(row.falseCues),
          text(row.cues),
        ])
      }
      func mean(_ value: (Row) -> Double?) -> Double? {
        let all = rows.compactMap(value)
        return all.isEmpty ? nil : all.reduce(0, +) / Double(all.count)
      }
      table.add([
        "mean", "", "", text(mean(\.area)), text(mean(\.heldOutArea)), text(mean(\.falseCues)),
        text(mean(\.cues)),
      ])
      return table.text
    }
  }

  package func run() -> (models: [String: QualityModel], report: Report) {
    var models: [String: QualityModel] = [:]
    var rows: [Report.Row] = []
    for (movement, samples) in samples.sorted(by: { $0.key < $1.key }) {
      let isHeldOut = { (sample: Sample) in
        CaptureLabel.heldOutSubjects.contains(sample.person)
      }
      let teaching = samples.filter { !isHeldOut($0) }
      let people = Set(teaching.map(\.person)).sorted()
      var crossed: [(sample: Sample, score: Float, estimate: Estimate?)] = []
      for person in people {
        let model = fit(teaching.filter { $0.person != person })
        crossed += Self.scored(teaching.filter { $0.person == person }, by: model)
      }
      let model = fit(teaching)
      models[movement] = model
      let heldOut = Self.scored(samples.filter(isHeldOut), by: model)
      let areas = people.compactMap { person in
        Self.area(crossed.filter { $0.sample.person == person })
      }
      let all = crossed + heldOut
      func cued(_ isRight: Bool) -> Double? {
        let own = all.filter { $0.sample.isRight == isRight }
        let cues = own.count { scored in
          scored.estimate.map { $0.value + $0.error < 50 } ?? false
        }
        return own.isEmpty ? nil : Double(cues) / Double(own.count)
      }
      rows.append(
        .init(
          movement: movement, repetitions: samples.count, evaluated: all.count,
          area: Self.area(crossed),
          deviation: SourceBootstrap.deviation(areas),
          heldOutArea: Self.area(heldOut), falseCues: cued(true), cues: cued(false)))
    }
    return (models, Report(rows: rows))
  }

  private static func scored(
    _ samples: [Sample], by model: QualityModel
  ) -> [(sample: Sample, score: Float, estimate: Estimate?)] {
    samples.compactMap { sample in
      model.score(sample.extents).map { (sample, $0, model.likeness(sample.extents)) }
    }
  }

  /// The area under the curve: how often a right execution has the higher score than a wrong one.
  private static func area(
    _ scored: [(sample: Sample, score: Float, estimate: Estimate?)]
  ) -> Double? {
    let (right, wrong) = (
      scored.filter(\.sample.isRight).map(\.score),
      scored.filter { !$0.sample.isRight }.map(\.score).sorted()
    )
    guard !right.isEmpty, !wrong.isEmpty else { return nil }
    let below = right.reduce(0.0) { sum, score in
      sum + Double(wrong.count { $0 < score }) + 0.5 * Double(wrong.count { $0 == score })
    }
    return below / Double(right.count * wrong.count)
  }

  // MARK: - Learning

  private func fit(_ samples: [Sample]) -> QualityModel {
    let names = Set(samples.flatMap(\.extents.values.keys)).sorted()
    var terms = names.map { name -> QualityModel.Term in
      let values = samples.compactMap { $0.extents.values[name] }
      let mean = values.reduce(0, +) / Float(max(values.count, 1))
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let deviation = (squares / Float(max(values.count, 1))).squareRoot()
      return .init(name: name, mean: mean, deviation: max(deviation, 1e-3), weight: 0)
    }
    let rows = samples.map { sample in
      terms.map { Double($0.distance(of: sample.extents) ?? 0) } + [1]
    }
    let weights = LogisticRegression(ridge: ridge).fit(rows, samples.map(\.isRight))
    for index in terms.indices { terms[index].weight = Float(weights[index]) }
    return QualityModel(bias: Float(weights.last ?? 0), terms: terms)
  }
}
