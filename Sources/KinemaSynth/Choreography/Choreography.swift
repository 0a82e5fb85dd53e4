/// How one person does one exercise: the key poses of a repetition.
///
/// The style, such as how deep and how wide, is drawn once when a choreography is made; each
/// repetition then differs a little in depth.
protocol Choreography: Sendable {
  /// The posture before and after each repetition.
  var rest: Posture { get }

  /// The key poses of a repetition in the order of their shares; it begins at ``rest``.
  ///
  /// - Parameters:
  ///   - index: Which repetition, from 0, for those that alternate between left and right.
  ///   - depth: How far it goes; 1 is this person's usual.
  func repetition(_ index: Int, depth: Float) -> [KeyPose]
}

/// A posture at a share of a repetition, above 0 (where the repetition before ended) and at most 1.
struct KeyPose: Sendable {
  let share: Double
  let posture: Posture

  init(_ share: Double, _ posture: Posture) {
    self.share = share
    self.posture = posture
  }
}

extension Exercise {
  /// How a person does it, in a style drawn from the generator.
  func choreography(
    for person: SyntheticPerson, using generator: inout SeededGenerator
  ) -> any Choreography {
    switch self {
    case .jumpingJacks: JumpingJacks(person, using: &generator)
    case .lunges: Lunges(person, using: &generator)
    case .burpees: Burpees(person, using: &generator)
    case .squats: Squats(person, using: &generator)
    case .pushUps: PushUps(person, using: &generator)
    case .standing: Standing(person, using: &generator)
    }
  }
}
