import Foundation
package import KinemaCoach
import KinemaReport
import KinemaSynth

/// `kinema bench --form`: how rightly rules of form evaluate synthetic people whose faults are known.
///
/// What is true is measured in space. Repetitions that are nearer to a limit than people would agree
/// about are left out.
package struct FormBench: Sendable {
  package var sequenceCount = 400
  package var seed: UInt64 = 1
  private let rulebook: Rulebook

  /// How near to a limit a true value is left out.
  static let margins: [Measure.Unit: Double] = [.degrees: 8, .percent: 6, .seconds: 0.08]
  /// How many people are drawn until one does the exercise well by all rules.
  static let longestSearch = 20

  /// The motions and the faults of each exercise.
  private static let exercises: [(label: String, motions: [String], faults: [FormFault])] = [
    ("squats", ["squats"], [.halfDepth, .noLockout, .lean, .rushed]),
    ("push_ups", ["push_ups"], [.halfDepth, .noLockout, .rushed]),
    ("lunges", ["lunges", "reverse_lunges", "split_squats"], [.halfDepth, .noLockout, .lean]),
    ("side_lunges", ["side_lunges"], [.halfDepth, .lean]),
    ("jumping_jacks", ["jumping_jacks"], [.halfDepth, .asymmetry]),
    ("burpees", ["burpees"], [.halfDepth, .noLockout]),
    ("sit_ups", ["sit_ups"], [.halfDepth, .noLockout]),
    ("bicep_curls", ["biceps_curls"], [.halfDepth, .noLockout, .lean, .asymmetry]),
    ("shoulder_press", ["overhead_presses"], [.halfDepth, .noLockout, .asymmetry]),
    ("lateral_raises", ["lateral_raises", "arm_raises"], [.halfDepth, .asymmetry]),
    ("deadlifts", ["deadlifts"], [.halfDepth, .noLockout, .rushed]),
    ("glute_bridges", ["bridges"], [.halfDepth, .rushed]),
  ]

  package init(_ rulebook: Rulebook) { self.rulebook = rulebook }

  /// How often a rule was right in one view.
  package struct Figures: Hashable, Sendable, Encodable {
    /// Repetitions of which the truth is clear, and those that could be evaluated.
    package var repetitions = 0
    package var evaluated = 0
    package var truePositives = 0
    package var falsePositives = 0
    package var falseNegatives = 0

    package var precision: Double? {
      let all = truePositives + falsePositives
      return all > 0 ? Double(truePositives) / Double(all) : nil
    }

    package var recall: Double? {
      let all = truePositives + falseNegatives
      return all > 0 ? Double(truePositives) / Double(all) : nil
    }

    static func += (sum: inout Figures, other: Figures) {
      sum.repetitions += other.repetitions
      sum.evaluated += other.evaluated
      sum.truePositives += other.truePositives
      sum.falsePositives += other.falsePositives
      sum.falseNegatives += other.falseNegatives
    }
  }

  package struct Report: BenchReport {
    struct Row: Encodable {
      var exercise, rule: String
      var all: Figures
      var views: [String: Figures]
    }

    var schema = 1
    var rows: [Row]

    package var table: String {
      var table = TextTable(
        [
          ("exercise", .left), ("rule", .left), ("repetitions", .right), ("faults", .right),
          ("evaluated", .right), ("precision", .right), ("recall", .right),
        ] + CameraView.allCases.map { ("\($0.rawValue): evaluated, P, R", .left) })
      func share(_ value: Double?) -> String { value.map { $0.fixed(2) } ?? "–" }
      for row in rows {
        let views = CameraView.allCases.map { view -> String in
          guard let own = row.views[view.rawValue], own.evaluated > 0 else { return "–" }
          return
            "\(own.evaluated) of \(own.repetitions), \(share(own.precision)), \(share(own.recall))"
        }
        table.add(
          [
            row.exercise, row.rule, "\(row.all.repetitions)",
            "\(row.all.truePositives + row.all.falseNegatives)", "\(row.all.evaluated)",
            share(row.all.precision), share(row.all.recall),
          ] + views)
      }
      return table.text
    }
  }

  package func run(progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }) throws -> Report {
    let coach = Coach(rulebook)
    var figures: [String: [String: [CameraView: Figures]]] = [:]
    for index in 0..<sequenceCount {
      progress(index, sequenceCount)
      let exercise = Self.exercises[index % Self.exercises.count]
      guard let rules = rulebook.exercises[exercise.label]?.rules else { continue }
      let round = index / Self.exercises.count
      let motions = exercise.motions.compactMap(Motion.named)
      let fault = exercise.faults[round % exercise.faults.count]
      guard !motions.isEmpty else { continue }
      let motion = motions[round / exercise.faults.count % motions.count]
      let trial = try trial(motion, exercise.label, fault, index, coach)
      let (poses, aspectRatio, yaw) = trial.observed()
      let view = CameraView(share: abs(cos(yaw)))
      let truth = try forms(trial, exercise.label, BodyTrack(trial.bodies), coach)
      let seen = try forms(
        trial, exercise.label, BodyTrack(poses, aspectRatio: aspectRatio), coach)
      for (truth, seen) in zip(truth, seen) {
        for (place, rule) in rules.enumerated() {
          guard let value = truth?.findings[place].reading.estimate?.value,
            rule.limits.distance(of: value) > Self.margins[rule.measure.unit] ?? 0
          else { continue }
          let isFault = rule.limits.excess(of: value) > 0
          var own = Figures(repetitions: 1)
          switch seen?.findings[place].verdict ?? .unseen {
          case .unseen: break
          case .fault:
            own.evaluated = 1
            if isFault { own.truePositives = 1 } else { own.falsePositives = 1 }
          case .good:
            own.evaluated = 1
            if isFault { own.falseNegatives = 1 }
          }
          figures[exercise.label, default: [:]][rule.name, default: [:]][
            view, default: Figures()] += own
        }
      }
    }
    let rows = figures.sorted { $0.key < $1.key }.flatMap { label, rules in
      rules.sorted { $0.key < $1.key }.map { rule, views in
        Report.Row(
          exercise: label, rule: rule, all: views.values.reduce(into: Figures(), +=),
          views: Dictionary(uniqueKeysWithValues: views.map { ($0.rawValue, $1) }))
      }
    }
    return Report(rows: rows)
  }

  /// A person who does the exercise well, but for the fault.
  private func trial(
    _ motion: Motion, _ label: String, _ fault: FormFault, _ index: Int, _ coach: Coach
  ) throws -> FormTrial {
    let seed = seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95
    var found = seed
    for attempt in 0..<UInt64(Self.longestSearch) {
      let candidate = seed &+ attempt &* 0x9E37_79B9_7F4A_7C15
      let trial = FormTrial(of: motion, fault: nil, seed: candidate)
      let forms = try forms(trial, label, BodyTrack(trial.bodies), coach)
      guard forms.allSatisfy({ $0?.verdict == .good }) else { continue }
      found = candidate
      break
    }
    return FormTrial(of: motion, fault: fault, seed: found)
  }

  private func forms(
    _ trial: FormTrial, _ label: String, _ track: BodyTrack, _ coach: Coach
  ) throws -> [RepetitionForm?] {
    let set = (trial.repetitions.first?.start ?? 0)...(trial.repetitions.last?.end ?? 0)
    return try trial.repetitions.map {
      try coach.form(of: label, from: $0.start, to: $0.end, within: set, in: track)
    }
  }
}
