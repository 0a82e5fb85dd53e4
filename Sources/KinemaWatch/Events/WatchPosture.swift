import KinemaAction

/// How a person holds themselves, as far as it matters to who watches over a room.
///
/// The raw values stand in rules and events.
package enum WatchPosture: String, Hashable, Codable, Sendable, CaseIterable {
  /// On their feet, also walking.
  case standing
  case sitting
  /// Neither fallen nor in a bed.
  case lying
  /// Down since a fall, until they stand or sit for a while.
  case fallen
  /// Lying in a zone that is a bed.
  case sleeping

  /// - Returns: `nil` for other postures, which are passing: kneeling, on all fours.
  init?(_ kind: HumanBodyPosture.Kind) {
    switch kind {
    case .standing, .walking, .running, .bending, .crouching: self = .standing
    case .sitting: self = .sitting
    case .lyingProne, .lyingSupine, .lyingOnSide: self = .lying
    case .kneeling, .onAllFours, .upsideDown: return nil
    }
  }

  /// Whether the person is on their feet, so that these are where they are.
  var isUpright: Bool { self == .standing }
}

/// Why a fall is one.
package struct FallReasons: Hashable, Sendable {
  /// How fast the trunk went down over half a second, in heights of the person a second.
  package var speed: Double
  /// The angle between trunk and upright since then, in degrees.
  package var angleDegrees: Double
  /// How long the person has been down when it is reported, in seconds.
  package var secondsDown: Double
}

extension FallReasons {
  init(_ signs: FallSigns) {
    func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
    self.init(
      speed: rounded(Double(signs[.steadySpeed]), 100),
      angleDegrees: rounded(Double(signs[.tilt]), 1),
      secondsDown: rounded(max(0, signs.now - signs.time), 10))
  }
}
