import Foundation
package import KinemaCoach
import KinemaReport
import KinemaSynth

/// `kinema bench form`: how rightly rules of form evaluate synthetic people whose faults are known.
///
/// What is true is measured in space. Repetitions that are nearer to a limit than people would agree
/// about are left out.
package struct FormBench: Sendable {
  package var sequenceCount = 400
  package var seed: UInt64 = 1
  private let rulebook: Rulebook

  /// How near to a limit a true value is left out.
  static let margins: [Measure.Unit: Double] = [.degrees: 8, .percent: 6, .seconds: 0.08]
  /// How many people are drawn until one does the exercise well by all rules, and breaks one with a
  /// fault.
  static let longestSearch = 40
  /// The sizes of a fault that are tried.
  static let sizeCount = 6

  /// The motions of each exercise.
  private static let motions = [
    "squats": ["squats"], "push_ups": ["push_ups"],
    "lunges": ["lunges", "reverse_lunges", "split_squats"], "side_lunges": ["side_lunges"],
    "jumping_jacks": ["jumping_jacks"], "burpees": ["burpees"], "sit_ups": ["sit_ups"],
    "bicep_curls": ["biceps_curls"], "shoulder_press": ["overhead_presses"],
    "lateral_raises": ["lateral_raises", "arm_raises"], "deadlifts": ["deadlifts"],
    "glute_bridges": ["bridges"],
  ]

  /// The faults that may break a rule, the likeliest first.
  private static func faults(of measure: Measure) -> [FormFault.Kind] {
    switch measure {
    case .angle, .travel, .kneeAhead: [.halfDepth, .noLockout, .bentArms]
    case .difference: [.asymmetry]
    case .lean, .largestLean, .swing, .drift, .path: [.lean, .halfDepth, .noLockout]
    case .hipsAboveLine: [.sag, .pike]
    case .feetApart: [.narrowFeet]
    case .seconds: [.rushed]
    // Synthetic people have no such fault.
    case .kneesApart, .forearmTilt, .likeness: []
    }
  }

  package init(_ rulebook: Rulebook) { self.rulebook = rulebook }

  /// How often a rule was right in one view.
  package struct Figures: Hashable, Sendable, Encodable {
    /// Repetitions of which the truth is clear, and those that could be evaluated.
    package var repetitions = 0
    package var evaluated = 0
    var truePositives = 0
    package var falsePositives = 0
    var falseNegatives = 0

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
    let targets = rulebook.exercises.sorted { $0.key < $1.key }.flatMap { label, exercise in
      exercise.rules.map { (label: label, rule: $0) }
    }
    for index in 0..<sequenceCount {
      progress(index, sequenceCount)
      guard !targets.isEmpty else { break }
      let target = targets[index % targets.count]
      let motions = (Self.motions[target.label] ?? []).compactMap(Motion.named)
      guard let rules = rulebook.exercises[target.label]?.rules, !motions.isEmpty else { continue }
      let motion = motions[index / targets.count % motions.count]
      guard let trial = try trial(motion, target.label, target.rule, index, coach) else { continue }
      let (poses, aspectRatio) = trial.observed()
      let view = CameraView(share: abs(cos(trial.yaw)))
      let truth = try forms(trial, target.label, BodyTrack(trial.bodies), coach)
      let seen = try forms(
        trial, target.label, BodyTrack(poses, aspectRatio: aspectRatio), coach)
      for (truth, seen) in zip(truth, seen) {
        for (place, rule) in rules.enumerated() {
          guard let isFault = Self.isFault(truth, place) else { continue }
          var own = Figures(repetitions: 1)
          switch seen?.findings[place].verdict ?? .unseen {
          case .unseen, .borderline, .uncertain: break
          case .fault:
            own.evaluated = 1
            if isFault { own.truePositives = 1 } else { own.falsePositives = 1 }
          case .good:
            own.evaluated = 1
            if isFault { own.falseNegatives = 1 }
          }
          figures[target.label, default: [:]][rule.name, default: [:]][
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

  /// Whether a repetition breaks the rule at a place of its rulebook; `nil` where people would not
  /// agree, or it can't be measured.
  private static func isFault(_ form: RepetitionForm?, _ place: Int) -> Bool? {
    guard let finding = form?.findings[place], let value = finding.reading.estimate?.value,
      finding.rule.limits.distance(of: value) > Self.margins[finding.rule.measure.unit] ?? 0
    else { return nil }
    return finding.rule.limits.excess(of: value) > 0
  }

  /// A person who does the exercise well, but for a fault that breaks a rule, seen from where the rule
  /// is evaluated.
  private func trial(
    _ motion: Motion, _ label: String, _ rule: Rule, _ index: Int, _ coach: Coach
  ) throws -> FormTrial? {
    let seed = seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95
    guard let place = rulebook.exercises[label]?.rules.firstIndex(of: rule) else { return nil }
    for attempt in 0..<UInt64(Self.longestSearch) {
      let candidate = seed &+ attempt &* 0x9E37_79B9_7F4A_7C15
      let good = FormTrial(of: motion, fault: nil, seed: candidate)
      guard rule.views?.contains(CameraView(share: abs(cos(good.yaw)))) ?? true else { continue }
      let forms = try forms(good, label, BodyTrack(good.bodies), coach)
      guard forms.allSatisfy({ $0?.verdict == .good }) else { continue }
      for kind in Self.faults(of: rule.measure) {
        let sizes = kind.sizes
        let trials = try (0..<Self.sizeCount).compactMap { step -> FormTrial? in
          let share = Float(step) / Float(Self.sizeCount - 1)
          let size = sizes.lowerBound + (sizes.upperBound - sizes.lowerBound) * share
          let trial = FormTrial(of: motion, fault: FormFault(kind, size: size), seed: candidate)
          let forms = try self.forms(trial, label, BodyTrack(trial.bodies), coach)
          return forms.contains { Self.isFault($0, place) == true } ? trial : nil
        }
        if !trials.isEmpty { return trials[Int(candidate % UInt64(trials.count))] }
      }
    }
    return nil
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
