import Foundation
import Kinema
import KinemaCoach
import KinemaFiles
import KinemaReport

/// The form of the repetitions of one file.
struct CoachReport {
  struct Entry: Sendable {
    let label: String
    let start: Double
    let end: Double
    /// Whether it is a part of a posture that is held.
    let isHeld: Bool
    /// The probability of the label; `nil` where that was given.
    let probability: Double?
    let hasRules: Bool
    /// Whether it goes so much less far than the others that it is not evaluated.
    let isTooSmall: Bool
    /// `nil` without rules, if it is too small, and where too little of the person is visible.
    let form: RepetitionForm?
    /// How it differs from the reference; `nil` without one.
    let differences: [FormReference.Difference]?

    /// What to do better: the cue of a rule, or of the comparison.
    var cue: String? { form?.cue ?? (form?.isCertain == true ? differences?.first?.cue : nil) }

    /// Whether it is good by all of its rules, as far as they can be seen by all.
    var isGood: Bool { verdict == .good && form?.isWhollySeen == true }

    /// The verdict in words, such as “partly seen (1 of 4)” where no rule is broken, and not all are seen.
    var words: String {
      guard verdict == .good, let form, !form.isWhollySeen else {
        return isTooSmall ? "too small" : CoachReport.words(verdict)
      }
      return "partly seen (\(form.rulesSeen) of \(form.findings.count))"
    }

    var verdict: RepetitionForm.Verdict {
      guard let form else { return .unseen }
      // Without rules, what is like the reference is good.
      if !hasRules, differences?.isEmpty == true { return .good }
      return form.isCertain && differences?.isEmpty == false ? .fault : form.verdict
    }
  }

  let input: SceneResults.Input
  let timeRange: ClosedRange<Double>?
  let entries: [Entry]
  /// The prominent person over time.
  let frames: [(time: Double, pose: Pose?)]
  let aspectRatio: Float
  /// Whether a classifier named the exercises.
  let isRecognised: Bool
  let isCompared: Bool

  /// What is not compared, a sentence for each exercise that the reference lacks.
  func otherExercises(than reference: FormReference) -> [String] {
    let others = reference.labels.map(ActionPrediction.displayName).joined(separator: ", ")
    let labels = Set(entries.filter { $0.form != nil }.map(\.label)).subtracting(reference.labels)
    return labels.sorted().map { label in
      "kinema: \(input.name): \(ActionPrediction.displayName(of: label)) are not compared; the "
        + "reference has only \(others)."
    }
  }

  /// How long a cue is shown, in seconds.
  private static let cueDuration = 3.0

  /// What stands on the video: the count, and the cue of the repetition that ended last.
  func caption(at time: Double) -> Caption? {
    guard let index = entries.lastIndex(where: { $0.end <= time }) else { return nil }
    let entry = entries[index]
    let name = ActionPrediction.displayName(of: entry.label)
    let count = entries[...index].count { $0.label == entry.label }
    let isFresh = time - entry.end < Self.cueDuration
    return Caption(
      text: entry.isHeld ? name : "\(name) \(count)",
      detail: !isFresh ? nil : entry.cue ?? (entry.isGood ? "Good" : nil))
  }
}

// MARK: - For people

extension CoachReport: SceneReport {
  var table: String {
    let seconds = timeRange.map { $0.upperBound - $0.lowerBound } ?? 0
    var text = "\(input.name)  \(seconds.fixed(1)) s\n"
    var labels: [String] = []
    for entry in entries where !labels.contains(entry.label) { labels.append(entry.label) }
    if labels.isEmpty { text += "\n  No repetitions.\(isRecognised ? Self.hint : "")\n" }
    for label in labels { text += "\n" + section(label, entries.filter { $0.label == label }) }
    return text + "\n"
  }

  /// What to do where nothing was recognised.
  private static let hint =
    " Name the exercise with --exercise, or another classifier with --model."

  private func section(_ label: String, _ entries: [Entry]) -> String {
    let name = label.isEmpty ? "Other" : ActionPrediction.displayName(of: label)
    let seconds = entries.reduce(0) { $0 + $1.end - $1.start }
    let isHeld = entries.contains(where: \.isHeld)
    var text =
      "  \(name): \(isHeld ? "\(seconds.fixed(0)) s" : entries.count.counted("repetition"))"
    guard entries.contains(where: { $0.hasRules || $0.differences != nil }) else {
      return text + ", no rules\n"
    }
    let (good, faults) = (
      entries.count(where: \.isGood), entries.count { $0.verdict == .fault }
    )
    let partly = entries.count { $0.verdict == .good } - good
    text += ", \(good) good\(partly > 0 ? ", \(partly) partly seen" : ""), \(faults) with a cue"
    let views = Set(entries.compactMap { $0.form?.view })
    if let view = views.first, views.count == 1 { text += "; \(view.description)" }
    text += "\n\n"
    let rules = entries.compactMap(\.form).first?.findings.map(\.rule) ?? []
    var table = TextTable(
      [("", .right), ("from", .right), ("to", .right)] + rules.map { ($0.name, .right) }
        + (isCompared ? [("unlike the reference", .left)] : []) + [("", .left)])
    for (index, entry) in entries.enumerated() {
      let findings = entry.form?.findings.map(Self.cell) ?? rules.map { _ in "–" }
      let difference = entry.differences?.first.map(\.text) ?? "–"
      var row = ["\(index + 1)", entry.start.fixed(1), entry.end.fixed(1)]
      row += findings
      if isCompared { row.append(difference) }
      row.append(entry.cue ?? entry.words)
      table.add(row)
    }
    text += table.text
    for rule in rules { text += "  \(rule.name): \(rule.measure.name) \(rule.limit)\n" }
    return text
  }

  private static func cell(_ finding: RepetitionForm.Finding) -> String {
    guard let estimate = finding.reading.estimate else { return "–" }
    let mark =
      switch finding.verdict {
      case .fault: " ✗"
      case .borderline: " ?"
      case .good, .unseen, .uncertain: ""
      }
    return finding.rule.measure.unit.text(estimate.value) + mark
  }

  fileprivate static func words(_ verdict: RepetitionForm.Verdict) -> String {
    switch verdict {
    case .good: "good"
    case .fault: ""
    case .borderline: "borderline"
    case .unseen: "can't be seen from here"
    case .uncertain: "not evaluated: another movement?"
    }
  }
}

extension Measure.Unit {
  /// A value with the unit, such as `92°`.
  func text(_ value: Double) -> String {
    switch self {
    case .degrees: "\(value.fixed(0))°"
    case .seconds: "\(value.fixed(2)) s"
    case .percent: "\(value.fixed(0)) %"
    }
  }
}

extension CameraView {
  var description: String {
    switch self {
    case .front: "from the front or behind"
    case .oblique: "at an angle"
    case .side: "from the side"
    }
  }
}

// MARK: - For programs

extension CoachReport {
  var json: JSONObject {
    [
      "schema": 1, "video": input.path, "count": entries.count { !$0.isHeld },
      "repetitions": entries.map(Self.line),
    ]
  }

  private static func line(_ entry: Entry) -> JSONObject {
    let rules = entry.form?.findings.map { finding -> JSONObject in
      [
        "rule": finding.rule.name, "measure": finding.rule.measure.name,
        "limit": finding.rule.limit, "verdict": finding.verdict.rawValue,
        "value": JSONObject.orNull(finding.reading.estimate?.value.rounded(to: 3)),
        "error": finding.reading.estimate?.error.rounded(to: 3),
        "unit": finding.rule.measure.unit.rawValue, "say": finding.rule.say,
        "title": entry.form?.title(of: finding),
        "unseen": finding.reading.obstacle?.rawValue,
      ]
    }
    let measurements = entry.form.map { form in
      let seen = form.measurements.compactMap { measure, reading in
        reading.estimate.map { (measure.name, $0) }
      }
      return Dictionary(uniqueKeysWithValues: seen).mapValues { estimate -> JSONObject in
        ["value": estimate.value.rounded(to: 3), "error": estimate.error.rounded(to: 3)]
      }
    }
    return [
      "start": entry.start, "end": entry.end, "turn": entry.form?.turn, "exercise": entry.label,
      "probability": entry.probability?.rounded(to: 3), "held": entry.isHeld,
      "view": entry.form?.view?.rawValue, "verdict": entry.verdict.rawValue,
      "cue": JSONObject.orNull(entry.cue), "tooSmall": entry.isTooSmall, "rules": rules,
      "rulesSeen": entry.form?.rulesSeen, "rulesTotal": entry.form?.findings.count,
      "measurements": measurements,
      "differences": entry.differences?.map { difference -> JSONObject in
        [
          "measure": difference.name, "phase": difference.phase,
          "value": difference.value.rounded(to: 1),
          "reference": difference.reference.rounded(to: 1),
        ]
      },
    ]
  }

  static let csvHeader =
    "video,repetition,start,end,exercise,view,rule,measure,value,error,unit,limit,verdict,cue\n"

  var csv: String {
    entries.enumerated().flatMap { index, entry in
      (entry.form?.findings ?? []).map { finding in
        let estimate = finding.reading.estimate
        return CSV.line([
          input.path, "\(index + 1)", entry.start.fixed(3), entry.end.fixed(3), entry.label,
          entry.form?.view?.rawValue ?? "", finding.rule.name, finding.rule.measure.name,
          estimate?.value.fixed(2) ?? "", estimate?.error.fixed(2) ?? "",
          finding.rule.measure.unit.rawValue, finding.rule.limit, finding.verdict.rawValue,
          finding.verdict == .fault ? finding.rule.say : "",
        ])
      }
    }.joined()
  }
}

extension Double {
  fileprivate func rounded(to decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
