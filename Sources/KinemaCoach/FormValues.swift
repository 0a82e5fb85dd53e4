/// Range, tempo and symmetry of a repetition, each where it can be seen.
package struct FormValues: Hashable, Sendable {
  /// The joint that bends in the exercise; `nil` where its rules name none.
  package var joint: JointAngle?
  /// The angles of the joint at the turning points, in degrees.
  package var bottom: Double?
  package var top: Double?
  /// How long each part takes, in seconds; the hold is that at the turning point.
  package var down: Double?
  package var hold: Double?
  package var up: Double?
  /// The difference of left and right at the turning point, in degrees.
  package var difference: Double?
  /// Whether the sides work in turn, so that they cannot be compared.
  package var isOneSided = false

  /// By how many degrees the joint bends.
  package var range: Double? {
    guard let top, let bottom else { return nil }
    return abs(top - bottom)
  }

  package init() {}
}

extension FormValues {
  /// What can be seen of a repetition.
  ///
  /// Left and right are compared from the front or behind only, as in the built-in rules: from
  /// elsewhere one side is farther away, and partly occluded.
  package init(_ form: RepetitionForm, of exercise: Rulebook.Exercise) {
    func value(_ measure: Measure) -> Double? { form.reading(measure).estimate?.value }
    joint = exercise.joint
    isOneSided = exercise.isOneSided
    down = value(.seconds(.down))
    up = value(.seconds(.up))
    hold = value(.seconds(form.isDownFirst ? .bottom : .top))
    guard let joint else { return }
    bottom = value(.angle(joint, .bottom))
    top = value(.angle(joint, .top))
    guard form.view == .front, !isOneSided else { return }
    let sides = form.reading(.difference(joint, form.isDownFirst ? .bottom : .top))
    difference = sides.estimate?.value
    isOneSided = sides.obstacle == .oneSided
  }
}

/// The form of a set: of each value the median of the repetitions in which it can be seen.
package struct FormSummary: Codable, Hashable, Sendable {
  package struct Cue: Codable, Hashable, Sendable {
    package var text: String
    /// In how many repetitions its rule was broken most.
    package var count: Int

    package init(text: String, count: Int) { (self.text, self.count) = (text, count) }
  }

  /// How many repetitions were measured.
  package var count: Int
  package var joint: JointAngle?
  /// Angles in degrees, as in ``FormValues``.
  package var bottom: Double?
  package var top: Double?
  package var range: Double?
  /// Times in seconds, as in ``FormValues``.
  package var down: Double?
  package var hold: Double?
  package var up: Double?
  package var difference: Double?
  /// The cues, the most frequent first.
  package var cues: [Cue]

  /// `nil` without repetitions.
  package init?(_ repetitions: [(values: FormValues, cue: String?)]) {
    guard !repetitions.isEmpty else { return nil }
    func median(_ value: (FormValues) -> Double?) -> Double? {
      let sorted = repetitions.compactMap { value($0.values) }.filter(\.isFinite).sorted()
      guard !sorted.isEmpty else { return nil }
      let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
      return (middle * 100).rounded() / 100
    }
    count = repetitions.count
    joint = repetitions.lazy.compactMap(\.values.joint).first
    (bottom, top, range) = (median(\.bottom), median(\.top), median(\.range))
    (down, hold, up) = (median(\.down), median(\.hold), median(\.up))
    difference = median(\.difference)
    let counts = repetitions.compactMap(\.cue).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    cues = counts.map { Cue(text: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
  }
}
