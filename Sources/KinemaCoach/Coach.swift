/// Evaluates repetitions by the rules of a rulebook.
///
/// Pure: the same poses give the same verdicts. A live session calls it after each repetition.
package struct Coach: Sendable {
  package let rulebook: Rulebook
  /// What right executions are like, by labels.
  private let qualities: [String: QualityModel]

  /// How many standard errors a value must be away from a limit for a verdict.
  ///
  /// `kinema bench form`, seeds 7 to 12: of 37 rules, 36 have a precision of 0.9 and a recall of 0.8
  /// at 1, 35 at 0.7.
  static let leastErrors = 1.0

  package init(_ rulebook: Rulebook, qualities: [String: QualityModel] = [:]) {
    (self.rulebook, self.qualities) = (rulebook, qualities)
  }

  /// The form of one repetition, or of a part of a posture that is held.
  ///
  /// - Parameters:
  ///   - label: The exercise.
  ///   - start: When the repetition begins, in seconds.
  ///   - end: When it ends.
  ///   - set: The time of the repetitions of which it is one.
  ///   - track: The person.
  /// - Returns: `nil` where too little of the person is visible to measure anything.
  /// - Throws: ``CoachError`` where there are no rules for the exercise.
  package func form(
    of label: String, from start: Double, to end: Double, within set: ClosedRange<Double>,
    in track: BodyTrack
  ) throws(CoachError) -> RepetitionForm? {
    let exercise = try rulebook.exercise(label)
    guard
      let meter = RepetitionMeter(
        track, from: start, to: end, within: set, lead: exercise.lead, quality: qualities[label])
    else { return nil }
    let findings = exercise.rules.map { rule -> RepetitionForm.Finding in
      if let views = rule.views, let view = meter.view, !views.contains(view) {
        return .init(rule: rule, reading: .unseen(.view))
      }
      return .init(rule: rule, reading: meter.measure(rule.measure))
    }
    return RepetitionForm(
      label: label, start: start, end: end, turn: track.frames[meter.phases.turn].time,
      view: meter.view, travel: exercise.lead.flatMap { meter.travel(of: $0) },
      findings: findings, meter: meter)
  }

  /// The form of a repetition of an exercise that has no rules, to compare it with others.
  ///
  /// Its turning point is that of the part of the body that goes farthest up and down.
  package func unruledForm(
    of label: String, from start: Double, to end: Double, within set: ClosedRange<Double>,
    in track: BodyTrack
  ) -> RepetitionForm? {
    let meters = Lead.allCases.compactMap { lead -> (meter: RepetitionMeter, travel: Double)? in
      let meter = RepetitionMeter(
        track, from: start, to: end, within: set, lead: lead, quality: nil)
      return meter.map { ($0, $0.travel(of: lead) ?? 0) }
    }
    guard let best = meters.max(by: { $0.travel < $1.travel }) else { return nil }
    return RepetitionForm(
      label: label, start: start, end: end, turn: track.frames[best.meter.phases.turn].time,
      view: best.meter.view, travel: best.travel, findings: [], meter: best.meter)
  }

  // MARK: - Movements whose name is not certain

  /// How probable a set's name is at least.
  static let leastCertainty = 0.5

  /// Whether the name of a set is certain enough to evaluate form by its rules.
  ///
  /// The probabilities are averaged with that of one more repetition that is something else, so that one
  /// alone is never enough. On the public clips (`Workout`), 322 of 382 repetitions under the right name are
  /// certain so, and of 13 sets under a wrong one two: variants of the exercise, on one leg and without
  /// the arms overhead.
  ///
  /// - Parameter probabilities: Of the name in each repetition of the set so far; `nil` where it was given.
  package static func isCertain(_ probabilities: [Double?]) -> Bool {
    let known = probabilities.compactMap(\.self)
    return known.isEmpty || known.reduce(0, +) / Double(known.count + 1) >= leastCertainty
  }

  // MARK: - Movements that are too small

  /// The share of the median travel under which a repetition is too small.
  ///
  /// Somebody who rests between two squats moves the hips by 0.16 of their travel in a squat; if the knees
  /// bend half as far as in the others, it is 0.27.
  static let leastTravelShare = 0.2
  /// The least number of repetitions of which a median is taken.
  static let leastForMedian = 3

  /// Whether a repetition goes so much less far than the others of its exercise that it is rather
  /// another movement, which is not evaluated.
  ///
  /// - Parameters:
  ///   - travel: How far its lead goes, as ``RepetitionForm/travel``.
  ///   - travels: How far it goes in the repetitions of the same person, this one or not among them.
  package static func isTooSmall(_ travel: Double?, among travels: [Double]) -> Bool {
    guard let travel, travels.count >= leastForMedian else { return false }
    let median = travels.sorted()[travels.count / 2]
    return travel < leastTravelShare * median
  }
}

/// How a repetition was done.
package struct RepetitionForm: Sendable {
  package enum Verdict: String, Sendable {
    case good
    case fault
    /// The values are nearer to their limits than they are certain.
    case borderline
    /// What decides can't be seen from here.
    case unseen
    /// Which movement it is is not certain, so that it is not evaluated.
    case uncertain
  }

  /// What a rule says about a repetition.
  package struct Finding: Sendable {
    package let rule: Rule
    package let reading: Reading

    package var verdict: Verdict {
      guard let estimate = reading.estimate else { return .unseen }
      let distance = rule.limits.distance(of: estimate.value)
      if distance < Coach.leastErrors * estimate.error { return .borderline }
      return rule.limits.excess(of: estimate.value) > 0 ? .fault : .good
    }

    /// How far the value is beyond the limit and its own error, in standard errors that a measure of
    /// its unit may have.
    fileprivate var weight: Double {
      guard let estimate = reading.estimate,
        let unit = RepetitionMeter.largestErrors[rule.measure.unit]
      else { return 0 }
      let excess = rule.limits.excess(of: estimate.value) - Coach.leastErrors * estimate.error
      return excess / unit
    }
  }

  package let label: String
  /// When it begins and ends, in seconds.
  package let start: Double
  package let end: Double
  /// When it turns: the bottom of a squat, the top of a curl.
  package let turn: Double
  package let view: CameraView?
  /// How far what its exercise follows goes up and down, in per cent of the trunk's length; `nil` where
  /// that is hidden.
  package let travel: Double?
  package let findings: [Finding]
  /// Whether it is certain that it is the exercise: without, nothing is said about it.
  package var isCertain = true
  private let meter: RepetitionMeter

  init(
    label: String, start: Double, end: Double, turn: Double, view: CameraView?, travel: Double?,
    findings: [Finding], meter: RepetitionMeter
  ) {
    (self.label, self.start, self.end, self.turn) = (label, start, end, turn)
    (self.view, self.travel, self.findings, self.meter) = (view, travel, findings, meter)
  }

  /// A fault if a rule is broken; good if one that decides is kept and none broken, without rules that
  /// decide any.
  package var verdict: Verdict {
    guard isCertain else { return .uncertain }
    let verdicts = Set(findings.map(\.verdict))
    if verdicts.contains(.fault) { return .fault }
    let deciding = findings.filter(\.rule.decides)
    let decided = Set((deciding.isEmpty ? findings : deciding).map(\.verdict))
    return [.good, .borderline].first { decided.contains($0) } ?? .unseen
  }

  /// How many of its rules can be seen from here.
  package var rulesSeen: Int { findings.count { $0.reading.estimate != nil } }

  /// Whether all of its rules can be seen: only then is it shown as good.
  package var isWhollySeen: Bool { rulesSeen == findings.count }

  /// What a finding is about, with the side of an angle: `knee angle at the bottom, left`.
  package func title(of finding: Finding) -> String {
    let side = meter.side(of: finding.rule.measure)
    return finding.rule.measure.name + (side.map { ", \($0.rawValue)" } ?? "")
  }

  /// The finding of the rule that is broken most; `nil` where none is, or nothing is said.
  private var worst: Finding? {
    guard isCertain else { return nil }
    return findings.filter { $0.verdict == .fault }.max { $0.weight < $1.weight }
  }

  /// The joint that the ``cue`` is about; `nil` where it is about no single one.
  package var focus: JointAngle? { worst?.rule.measure.focus }

  /// What to say about it: the cue of the rule that is broken most; `nil` where none is.
  package var cue: String? {
    guard let worst else { return nil }
    guard worst.rule.measure == .likeness, let deviation = meter.deviation else {
      return worst.rule.say
    }
    return "\(worst.rule.say) There is \(deviation)."
  }

  /// Whether it turns at its bottom, as a squat does, rather than at its top, as a curl does.
  package var isDownFirst: Bool { meter.phases.isDownFirst }

  /// What can be seen of one measure.
  package func reading(_ measure: Measure) -> Reading { meter.measure(measure) }

  /// Its angles, phase by phase.
  var curves: FormCurves { meter.curves(from: start, to: end) }

  /// All that can be seen of it.
  package var measurements: [(measure: Measure, reading: Reading)] {
    Measure.all.map { ($0, meter.measure($0)) }
  }
}
