/// How a person holds their body, beside what they do: a distribution over ``Kind``.
///
/// A person who does squats is standing and crouching in turn; one who does nothing in particular has a
/// posture as well.
public struct HumanBodyPosture: Hashable, Sendable {
  /// The postures, by the body's geometry and its steps.
  ///
  /// The raw values stand in files.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// Upright on the feet, without steps.
    case standing
    /// Upright, with steps, also on the spot.
    case walking
    /// Upright, with steps between which no foot is on the floor, also on the spot.
    case running
    /// The seat carries the upright trunk, on furniture or on the floor.
    case sitting
    /// The knees carry the upright trunk.
    case kneeling
    /// The feet carry the body, with the hips low, as in a squat or a lunge.
    case crouching
    /// The trunk is bent down over the feet.
    case bending
    /// Hands and feet, or hands and knees, carry the level trunk, as in a plank.
    case onAllFours = "on_all_fours"
    /// On the front of the body.
    case lyingProne = "lying_prone"
    /// On the back.
    case lyingSupine = "lying_supine"
    /// On one side.
    case lyingOnSide = "lying_on_side"
    /// The hips are above the head, and the feet above the hips, as in a handstand.
    case upsideDown = "upside_down"

    /// Whether the person lies, on whichever side.
    public var isLying: Bool {
      switch self {
      case .lyingProne, .lyingSupine, .lyingOnSide: true
      default: false
      }
    }

    /// Whether the person takes steps.
    public var isLocomotion: Bool { self == .walking || self == .running }

    /// Its position among all kinds.
    var place: Int { Self.places[self] ?? 0 }

    private static let places = Dictionary(
      uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
  }

  /// The probability of each kind, in the order of `Kind.allCases`; the sum is 1.
  let shares: [Double]
  /// The probability that the person does nothing but hold the posture, or take plain steps, from 0 to 1:
  /// no exercise, sport, dance or gesture.
  public let plainness: Double

  /// - Parameter shares: In the order of `Kind.allCases`.
  package init(shares: [Double], plainness: Double) {
    (self.shares, self.plainness) = (shares, plainness)
  }

  /// What is certainly one kind, held plainly.
  package init(_ kind: Kind) {
    self.init(shares: Kind.allCases.map { $0 == kind ? 1 : 0 }, plainness: 1)
  }

  /// The likeliest kind.
  public var kind: Kind {
    let kinds = Kind.allCases
    return kinds.max { self[$0] < self[$1] } ?? .standing
  }

  /// The probability of ``kind``, from 0 to 1.
  public var probability: Double { self[kind] }

  /// The probability of a kind, from 0 to 1.
  public subscript(kind: Kind) -> Double { shares[kind.place] }

  /// The probability that the person lies, on whichever side, from 0 to 1.
  public var lyingProbability: Double {
    Kind.allCases.filter(\.isLying).reduce(0) { $0 + self[$1] }
  }

  /// The probability that the person sits or kneels, from 0 to 1.
  package var seatedProbability: Double { self[.sitting] + self[.kneeling] }

  /// The probability that the person is upright on the feet, from 0 to 1.
  package var uprightProbability: Double { self[.standing] + self[.walking] + self[.running] }

  /// The mean of several moments; `nil` for none.
  static func mean(of postures: [HumanBodyPosture]) -> HumanBodyPosture? {
    guard !postures.isEmpty else { return nil }
    let count = Double(postures.count)
    return HumanBodyPosture(
      shares: Kind.allCases.map { kind in postures.reduce(0) { $0 + $1[kind] } / count },
      plainness: postures.reduce(0) { $0 + $1.plainness } / count)
  }
}
