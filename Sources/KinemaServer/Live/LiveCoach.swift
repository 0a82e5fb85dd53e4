package import Foundation
import KinemaAction
package import KinemaCoach
package import KinemaCounting
package import KinemaPose

/// A repetition that has ended, with its form.
package struct MeasuredRepetition: Sendable {
  package var label: String
  /// Whose it is, and in which of their sets; `nil` where that is not known.
  package var person: Int?
  package var set: Int?
  /// When it begins and ends, in seconds.
  package var start: Double
  package var end: Double
  package var view: CameraView?
  package var values: FormValues
  package var verdict: RepetitionForm.Verdict
  /// The cue of the rule that is broken most.
  package var cue: String?
  /// The joint that the cue is about.
  package var focus: JointAngle?
  /// The cue, if it is to be given now.
  package var say: String?

  package init(
    label: String, person: Int? = nil, set: Int? = nil, start: Double, end: Double,
    view: CameraView? = nil, values: FormValues = FormValues(),
    verdict: RepetitionForm.Verdict = .unseen,
    cue: String? = nil, say: String? = nil
  ) {
    (self.label, self.person, self.set) = (label, person, set)
    (self.start, self.end, self.view) = (start, end, view)
    (self.values, self.verdict, self.cue, self.say) = (values, verdict, cue, say)
  }
}

/// Measures each repetition of the prominent person when it has ended, and paces the cues.
package struct LiveCoach: Sendable {
  /// The rules that come with Kinema; `nil` where they are missing.
  package static let builtIn: Coach? = (try? CoachFile.form.url)
    .flatMap { try? Rulebook(contentsOf: $0) }
    // Limits are evaluated without the models as well.
    .map { Coach($0, qualities: (try? .builtIn) ?? [:]) }

  /// How long poses are stored, in seconds: the longest repetition, and the time before in which limbs
  /// are measured.
  static let memory = 20.0
  /// The least time from one cue to the next, in seconds.
  package static let cueInterval = 6.0
  /// How long after a repetition its cue is still of use, in seconds.
  static let longestDelay = 3.0
  /// For how long after a count the end of its repetition is awaited, in seconds, and how often it is
  /// looked for in that time.
  static let attention = 5.0
  static let interval = 0.3
  /// How many repetitions are stored with which the next one is compared.
  static let travelCount = 20

  private let coach: Coach?
  private var poses: [(time: TimeInterval, pose: Pose?)] = []
  private var aspectRatio: Float = 1
  private var person: Int?
  /// The end of the last repetition.
  private var lastEnd = -TimeInterval.infinity
  private var lastCue = -TimeInterval.infinity
  private var lastSearch = -TimeInterval.infinity
  private var lastCount = 0
  private var lastGain = -TimeInterval.infinity
  /// The set under way by its id, with the probabilities of its label in its repetitions.
  private var set: (id: Int?, label: String, range: ClosedRange<Double>, probabilities: [Double?])?
  /// How many repetitions of each set were measured, or counted before this person was followed, by its id.
  private var measuredCounts: [Int: Int] = [:]
  /// How far the last repetitions of each exercise went (``RepetitionForm/travel``).
  private var travels: [String: [Double]] = [:]

  package init(_ coach: Coach? = LiveCoach.builtIn) { self.coach = coach }

  /// Adds the next frame; returns the repetitions that have ended since the last one.
  ///
  /// - Parameters:
  ///   - pose: The prominent person; `nil` where they are not visible.
  ///   - person: Their id; for another person, all that was stored is dropped.
  ///   - counter: What counts their repetitions.
  package mutating func add(
    _ pose: Pose?, of person: Int?, counter: RepetitionCounter?, at time: TimeInterval,
    aspectRatio: Float
  ) -> [MeasuredRepetition] {
    guard let coach, let counter, pose?.wireframe != .hand else { return [] }
    if person != self.person || aspectRatio != self.aspectRatio {
      poses = []
      (self.person, self.aspectRatio, lastEnd, set) = (person, aspectRatio, time, nil)
      travels = [:]
      // What was counted before is not measured.
      measuredCounts = Self.counts(of: counter)
      lastCount = counter.count
    }
    poses.append((time, pose))
    if let first = poses.first, time - first.time > 1.2 * Self.memory {
      poses.removeAll { $0.time < time - Self.memory }
    }
    if counter.count > lastCount { lastGain = time }
    lastCount = counter.count
    guard time - lastGain <= Self.attention, time - lastSearch >= Self.interval else { return [] }
    lastSearch = time
    let repetitions = counted(counter.completeRepetitions(after: lastEnd), by: counter)
    guard let first = repetitions.first, let last = repetitions.last else { return [] }
    let track = BodyTrack(
      poses, aspectRatio: aspectRatio,
      measured: first.start...max(first.start, last.end))
    return repetitions.compactMap { repetition in
      lastEnd = repetition.end
      guard let label = repetition.action, let exercise = coach.rulebook.exercises[label] else {
        return nil
      }
      let known = set.flatMap { $0.id == repetition.set && $0.label == label ? $0 : nil }
      let start = min(known?.range.lowerBound ?? repetition.start, repetition.start)
      let range = start...max(time, repetition.end)
      let probabilities = (known?.probabilities ?? []) + [repetition.confidence]
      set = (repetition.set, label, range, probabilities)
      // A repetition that cannot be measured is reported without a form.
      var form = try? coach.form(
        of: label, from: repetition.start, to: repetition.end, within: range, in: track)
      form?.isCertain = Coach.isCertain(probabilities)
      let before = travels[label] ?? []
      if Coach.isTooSmall(form?.travel, among: before) { return nil }
      if let travel = form?.travel {
        travels[label] = before.suffix(Self.travelCount - 1) + [travel]
      }
      if let set = repetition.set { measuredCounts[set, default: 0] += 1 }
      return measured(repetition, label, exercise, form, at: time)
    }
  }

  /// Those that are among the counts of their sets: a movement may have more turning points than it counts, or
  /// they are seen before it does.
  private func counted(_ repetitions: [Repetition], by counter: RepetitionCounter) -> [Repetition] {
    let counts = Self.counts(of: counter)
    var measured = measuredCounts
    let known = repetitions.prefix { repetition in
      guard let set = repetition.set, let count = counts[set] else { return true }
      measured[set, default: 0] += 1
      return measured[set, default: 0] <= count
    }
    return Array(known)
  }

  private static func counts(of counter: RepetitionCounter) -> [Int: Int] {
    Dictionary(counter.sets.map { ($0.id, $0.repetitions) }) { first, _ in first }
  }

  /// Continues with the same person under another id.
  package mutating func succeed(_ successions: [Int: Int]) {
    if let new = successions.first(where: { $0.value == person })?.key { person = new }
  }

  /// Forgets all people.
  package mutating func reset() { self = LiveCoach(coach) }

  private mutating func measured(
    _ repetition: Repetition, _ label: String, _ exercise: Rulebook.Exercise,
    _ form: RepetitionForm?, at time: TimeInterval
  ) -> MeasuredRepetition {
    var measured = MeasuredRepetition(
      label: label, person: person, set: repetition.set, start: repetition.start,
      end: repetition.end)
    measured.values.joint = exercise.joint
    measured.values.isOneSided = exercise.isOneSided
    guard let form else { return measured }
    measured.view = form.view
    measured.values = FormValues(form, of: exercise)
    (measured.verdict, measured.cue, measured.focus) = (form.verdict, form.cue, form.focus)
    let isTimely = time - repetition.end <= Self.longestDelay
    if let cue = form.cue, isTimely, time - lastCue >= Self.cueInterval {
      measured.say = cue
      lastCue = time
    }
    return measured
  }
}
