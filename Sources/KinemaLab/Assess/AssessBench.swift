package import Foundation
import KinemaCoach
import KinemaDepth
import KinemaReport
import KinemaSynth

/// Measures tests of `kinema assess` on people before simulated cameras: the same test of where their joints are,
/// and of what is estimated from poses.
package struct AssessBench: Sendable {
  /// How many people do each test.
  package var count = 60
  package var seed: UInt64 = 1001
  /// A folder of motion capture; of its people, those whom no model has learned from.
  package var motion: URL?

  private let book: TestBook

  package init() throws { book = try TestBook(contentsOf: CoachFile.tests.url) }

  /// A measurement of a test, or the moments of its phases.
  package struct Row: Codable, Sendable {
    package var people: String
    package var test, measurement, unit: String
    /// In how many trials it is true, and in how many estimated.
    package var count, seen: Int
    /// The mean distance from the truth, and its mean standard error as stated.
    package var error, stated: Double
    /// The deviation of ``error`` between trials, by the root of their number.
    package var deviation: Double
    /// The mean of what is estimated less the truth.
    package var bias: Double
    /// The shares of values within one and two stated errors.
    package var within: [Double]
  }

  package struct Report: BenchReport {
    package let schema = 1
    package let rows: [Row]

    package var table: String {
      var table = TextTable([
        ("people", .left), ("test", .left), ("measurement", .left), ("number", .right),
        ("seen", .right), ("error", .right), ("stated", .right), ("bias", .right),
        ("in 1, 2 errors", .right),
      ])
      for row in rows {
        let decimals = ["°", "%", "steps/min"].contains(row.unit) ? 1 : 3
        table.add([
          row.people, row.test, row.measurement, "\(row.count)", "\(row.seen)",
          "\(row.error.fixed(decimals)) ± \(row.deviation.fixed(decimals)) \(row.unit)",
          row.stated.fixed(decimals), row.bias.fixed(decimals),
          row.within.map { ($0 * 100).fixed(0) }.joined(separator: ", "),
        ])
      }
      return table.text
    }
  }

  /// The tests whose phases are timed.
  private static let timed: [MotionTest.Measure] = [.chairStands, .upAndGo, .stance, .walk]

  /// What is known of a measurement in one trial.
  private struct Pair {
    let truth: Double
    /// `nil` where it can't be seen.
    let estimate: (value: Double, error: Double)?
  }

  private struct Key: Hashable {
    let people, test, measurement, unit: String
  }

  package func run(progress: (Int, Int) -> Void = { _, _ in }) throws -> Report {
    let trials = try self.trials
    let lifter = try BodyLifter()
    var (pairs, order): ([Key: [Pair]], [Key]) = ([:], [])
    for (number, (people, trial)) in trials.enumerated() {
      progress(number, trials.count)
      let test = try book.test(trial.test)
      let (truth, found) = (test.assess(trial.truth), test.assess(trial.observed(lifter)))
      let view = trial.view
      func add(_ measurement: String, _ unit: String, _ pair: Pair) {
        let people = test.measure == .walk ? "\(people), \(view)" : people
        let key = Key(people: people, test: trial.test, measurement: measurement, unit: unit)
        if pairs[key] == nil { order.append(key) }
        pairs[key, default: []].append(pair)
      }
      for measurement in truth.measurements {
        guard let value = measurement.outcome.estimate?.value else { continue }
        let estimate = found.measurement(measurement.name, measurement.side)?.outcome.estimate
        add(
          measurement.name, measurement.unit.rawValue,
          Pair(truth: value, estimate: estimate.map { ($0.value, $0.error) }))
      }
      guard Self.timed.contains(test.measure) else { continue }
      for (moment, other) in Self.moments(truth, found) {
        add(
          "moments of phases", "s",
          Pair(
            truth: moment, estimate: other.map { ($0, ChairTransfers.phaseError) }))
      }
    }
    return Report(
      rows: order.sorted { ($0.test, $0.people) < ($1.test, $1.people) }.map {
        Self.row($0, pairs[$0] ?? [])
      })
  }

  /// When the phases begin and end, with what is estimated of them: the nearest of the same kind within half a
  /// second.
  private static func moments(
    _ truth: Assessment, _ found: Assessment
  ) -> [(moment: Double, other: Double?)] {
    truth.phases.flatMap { phase in
      let others = found.phases.filter { $0.name == phase.name && $0.side == phase.side }
      return [(phase.start, others.map(\.start)), (phase.end, others.map(\.end))].map {
        moment, others in
        let nearest = others.min { abs($0 - moment) < abs($1 - moment) }
        return (moment, nearest.flatMap { abs($0 - moment) < 0.5 ? $0 : nil })
      }
    }
  }

  private static func row(_ key: Key, _ pairs: [Pair]) -> Row {
    let seen = pairs.compactMap { pair in pair.estimate.map { (pair.truth, $0) } }
    let total = Double(max(1, seen.count))
    let errors = seen.map { abs($1.value - $0) }
    let mean = errors.reduce(0, +) / total
    let variance = errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / total
    return Row(
      people: key.people, test: key.test, measurement: key.measurement, unit: key.unit,
      count: pairs.count, seen: seen.count, error: mean,
      stated: seen.reduce(0) { $0 + $1.1.error } / total,
      deviation: (variance / total).squareRoot(),
      bias: seen.reduce(0) { $0 + $1.1.value - $1.0 } / total,
      within: [1, 2].map { limit in
        Double(seen.count { abs($1.value - $0) <= limit * $1.error + 1e-6 }) / total
      })
  }

  // MARK: - Trials

  /// The motions of synthetic people by the tests in which they are.
  private static let motions: [(test: String, motion: String, count: Int)] = [
    ("five-times-chair-stand", "sit_to_stand", 6), ("walk-4m", "walking", 14),
    ("shoulder-abduction", "lateral_raises", 2),
    ("knee-range", "squats", 2), ("overhead-squat", "squats", 3),
  ]

  private var trials: [(people: String, trial: AssessTrial)] {
    get throws {
      var trials: [(String, AssessTrial)] = []
      for (test, name, repetitions) in Self.motions {
        guard let motion = Motion.named(name) else { continue }
        trials += (0..<count).map {
          (
            "synthetic",
            AssessTrial(test, motion, count: repetitions, seed: seed &+ UInt64($0))
          )
        }
      }
      for number in 0..<count {
        trials.append(("synthetic", AssessTrial(upAndGo: seed &+ UInt64(number))))
        trials.append(("synthetic", AssessTrial(stances: seed &+ UInt64(number))))
      }
      return try trials + captured
    }
  }

  /// The tests of what is done in recordings, by the beginnings of their labels.
  private static let captures: [(label: String, test: String)] = [
    ("sit to stand", "chair-stand-30s"), ("standing shoulder abduction", "shoulder-abduction"),
    ("deep squat", "overhead-squat"),
  ]

  private var captured: [(String, AssessTrial)] {
    get throws {
      guard let motion else { return [] }
      let sequences = try MotionCapture.sequences(in: motion) { row -> String? in
        row.kind == "walk" ? "walk-4m" : Self.captures.first { row.label.hasPrefix($0.label) }?.test
      }
      var number: UInt64 = 0
      return sequences.filter { CaptureLabel.heldOutSubjects.contains($0.subject) }.map {
        number += 1
        return (
          "recorded",
          AssessTrial(
            $0.label, $0.motion, pans: $0.label == "walk-4m", seed: seed &+ number)
        )
      }
    }
  }
}
