package import KinemaPose

/// What is found in frames, and how.
package enum PoseSubject: Codable, Hashable, Sendable {
  /// The bodies of people, 18 joints each.
  case bodies(HumanBodyPoseExtractor.Configuration)
  /// Hands, 21 joints each.
  case hands(HumanHandPoseExtractor.Configuration)

  /// The joints of each pose.
  package var joints: [JointKey] { isOfHands ? JointKey.hand : JointKey.body }

  /// Whether hands are found rather than bodies.
  package var isOfHands: Bool {
    if case .hands = self { true } else { false }
  }

  /// The subject in a word.
  package var name: String { isOfHands ? "hands" : "bodies" }

  /// The arithmetic of the networks.
  package var precision: NetworkPrecision {
    switch self {
    case .bodies(let configuration): configuration.precision
    case .hands(let configuration): configuration.precision
    }
  }
}
