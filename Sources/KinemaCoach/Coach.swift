/// Evaluates repetitions by the rules of a rulebook.
///
/// Pure: the same poses give the same verdicts. A live session calls it after each repetition.
package struct Coach: Sendable {
  package let rulebook: Rulebook

  /// How many standard errors a value must be away from a limit for a verdict.
  ///
  /// `kinema bench form`, seeds 7 to 12: of 37 rules, 36 have a precision of 0.9 and a recall of 0.8
  /// at 1, 35 at 0.7.
  static let leastErrors = 1.0

  package init(_ rulebook: Rulebook) { self.rulebook = rulebook }

  /// The form of one repetition.
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
        track, from: start, to: end, within: set, lead: exercise.lead)
    else { return nil }
    let findings = exercise.rules.map { rule -> RepetitionForm.Finding in
      if let views = rule.views, let view = meter.view, !views.contains(view) {
        return .init(rule: rule, reading: .unseen(.view))
      }
      return .init(rule: rule, reading: meter.measure(rule.measure))
    }
    return RepetitionForm(
      label: label, start: start, end: end, turn: track.frames[meter.phases.turn].time,
      view: meter.view, travel: meter.travel(of: exercise.lead), findings: findings, meter: meter)
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
    /// It can't be seen from here.
    case unseen
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
  private let meter: RepetitionMeter

  init(
    label: String, start: Double, end: Double, turn: Double, view: CameraView?, travel: Double?,
    findings: [Finding], meter: RepetitionMeter
  ) {
    (self.label, self.start, self.end, self.turn) = (label, start, end, turn)
    (self.view, self.travel, self.findings, self.meter) = (view, travel, findings, meter)
  }

  /// A fault if a rule is broken, good if one is kept and none broken.
  package var verdict: Verdict {
    let verdicts = Set(findings.map(\.verdict))
    return [.fault, .good, .borderline].first { verdicts.contains($0) } ?? .unseen
  }

  /// What to say about it: the cue of the rule that is broken most; `nil` where none is.
  package var cue: String? {
    findings.filter { $0.verdict == .fault }.max { $0.weight < $1.weight }?.rule.say
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
