import Kinema
import KinemaCoach
import KinemaFiles
import KinemaReport

/// What a test gave of one file.
struct AssessReport {
  let path, name: String
  let test: MotionTest
  let assessment: Assessment
  let age: Int?
  let sex: MotionTest.Sex?

  /// Whether a measurement is as a test's check asks for.
  private enum Verdict: String { case kept, missed, borderline }

  private func verdict(_ measurement: Assessment.Measurement) -> Verdict? {
    guard let limits = test.checks[measurement.name],
      let estimate = measurement.outcome.estimate
    else { return nil }
    if limits.distance(of: estimate.value) < estimate.error { return .borderline }
    return limits.excess(of: estimate.value) > 0 ? .missed : .kept
  }

  private func reference(_ measurement: Assessment.Measurement) -> (value: Double, note: String)? {
    test.references.lazy.filter { $0.of == measurement.name }.compactMap { reference in
      reference.value(age: age, sex: sex).map { ($0, reference.note) }
    }.first
  }

  /// The measurement's name with its side, such as “step time, left”.
  private static func title(_ measurement: Assessment.Measurement) -> String {
    title(measurement.name, measurement.side)
  }

  private static func title(_ name: String, _ side: Side?) -> String {
    [name, side?.rawValue].compactMap(\.self).joined(separator: ", ")
  }

  /// What stands beside a measurement: a reference, or a check.
  private func remark(_ measurement: Assessment.Measurement) -> String {
    if let reference = reference(measurement) {
      return "\(measurement.unit.text(reference.value)): \(reference.note)"
    }
    guard let limit = test.limits[measurement.name] else { return "" }
    return [limit, verdict(measurement)?.rawValue].compactMap(\.self).joined(separator: ": ")
  }
}

extension Assessment.Unit {
  /// How many decimals are worth printing.
  private var decimals: Int {
    switch self {
    case .count, .degrees, .percent: 0
    case .stepsPerMinute: 1
    case .seconds, .metres, .metresPerSecond: 2
    }
  }

  fileprivate func text(_ value: Double) -> String {
    value.fixed(decimals) + (self == .count || self == .degrees ? rawValue : " \(rawValue)")
  }

  fileprivate func text(_ outcome: Assessment.Outcome) -> String {
    switch outcome {
    case .value(let estimate):
      estimate.error > 0
        ? "\(text(estimate.value)) ± \(text(estimate.error))" : text(estimate.value)
    case .unseen(let reason): "can't be seen: \(reason)"
    }
  }
}

extension AssessReport: SceneReport {
  var table: String {
    var table = TextTable([("", .left), ("", .left), ("", .left)])
    for measurement in assessment.measurements {
      table.add([
        Self.title(measurement), measurement.unit.text(measurement.outcome), remark(measurement),
      ])
    }
    let notes = assessment.notes.map { "  \($0)\n" }.joined()
    return "\(name)  \(test.name)\n\n\(table.text)\n\(notes)  \(Assessment.disclaimer)\n\n"
  }

  var json: JSONObject {
    [
      "schema": 1, "video": path, "test": test.id, "name": test.name, "source": test.source,
      "disclaimer": Assessment.disclaimer, "notes": assessment.notes,
      "measurements": assessment.measurements.map { measurement -> JSONObject in
        let reference = reference(measurement).map { value, note -> JSONObject in
          ["value": value, "note": note]
        }
        return [
          "name": measurement.name, "side": JSONObject.orNull(measurement.side?.rawValue),
          "unit": measurement.unit.rawValue,
          "value": JSONObject.orNull(measurement.outcome.estimate?.value.rounded(to: 3)),
          "error": JSONObject.orNull(measurement.outcome.estimate?.error.rounded(to: 3)),
          "unseen": JSONObject.orNull(measurement.outcome.reason), "reference": reference,
          "limit": test.limits[measurement.name], "verdict": verdict(measurement)?.rawValue,
        ]
      },
      "phases": assessment.phases.map { phase -> JSONObject in
        [
          "name": phase.name, "side": JSONObject.orNull(phase.side?.rawValue),
          "start": phase.start.rounded(to: 3), "end": phase.end.rounded(to: 3),
        ]
      },
    ]
  }

  static let csvHeader = "video,test,measurement,side,value,error,unit,unseen\n"

  var csv: String {
    assessment.measurements.map { measurement in
      let estimate = measurement.outcome.estimate
      return CSV.line([
        path, test.id, measurement.name, measurement.side?.rawValue ?? "",
        estimate?.value.fixed(3) ?? "", estimate?.error.fixed(3) ?? "", measurement.unit.rawValue,
        measurement.outcome.reason ?? "",
      ])
    }.joined()
  }

  /// The page's part of this file.
  var section: AssessPage.Section {
    AssessPage.Section(
      test: test.name, file: name, instructions: test.instructions, source: test.source,
      values: assessment.measurements.map { measurement in
        AssessPage.Value(
          name: measurement.name, side: measurement.side?.rawValue,
          text: measurement.unit.text(measurement.outcome), remark: remark(measurement),
          isSeen: measurement.outcome.estimate != nil)
      },
      curves: assessment.curves.map { curve in
        AssessPage.Curve(
          name: curve.name, unit: curve.unit.rawValue, isRight: curve.side == .right,
          points: curve.points)
      },
      phases: assessment.phases.map {
        AssessPage.Phase(name: Self.title($0.name, $0.side), start: $0.start, end: $0.end)
      },
      notes: assessment.notes)
  }
}

extension Double {
  fileprivate func rounded(to decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
