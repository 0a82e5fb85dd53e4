import Foundation

extension Motion {
  /// Straight from head to heel on hands and toes; the chest goes down to the floor and up again.
  package static let pushUps = Motion(
    "push_ups", of: .pushUps, "chest to the floor and up again, straight from head to heel",
    cycle: 0.9...4, weight: 4, yaw: 80
  ) { style in
    let support = style.uniform(0...1)
    let place = PlankPlace(
      &style, spread: 0.5...1.1, handRise: support < 0.12 ? style.uniform(0.1...0.3) : 0,
      footRise: support > 0.88 ? style.uniform(0.1...0.28) : 0, pike: -0.04...0.07)
    let depth = style.uniform(0.3...0.75)
    return style.pressing(
      from: place.top, half: place.lowered(by: depth / 2), to: place.lowered(by: depth))
  }

  static let pushUpVariants: [Motion] = [
    Motion("knee_push_ups", of: .pushUps, "push-ups on the knees", cycle: 0.9...4, yaw: 80) {
      style in
      let depth = style.uniform(0.35...0.75)
      let place = KneelingPlankPlace(&style)
      return style.pressing(
        from: place.lowered(by: 0), half: place.lowered(by: depth / 2), to: place.lowered(by: depth)
      )
    },
    pushUps,
  ]
}

extension Style {
  /// Down and up again on the hands, with a look somewhere.
  ///
  /// - Parameter half: On the way; the body turns about the feet, and the straight line between two
  ///   postures is not the arc.
  mutating func pressing(from top: Posture, half: Posture, to low: Posture) -> Choreography {
    let nod = uniform(-0.5...0.1)
    let keys = [
      (top, Float(1)), (half, 1), (low, uniform(0.02...0.8)), (low, 1), (half, 1),
      (top, uniform(0.02...1.2)),
    ]
    return Choreography(keys.map { posture, share in (posture.changed { $0.nod = nod }, share) })
  }
}

/// The position of a person on hands and knees, straight from knee to head.
struct KneelingPlankPlace: Sendable {
  private let person: SyntheticPerson
  private let hand: Vector
  private let knee: Vector
  private let shoulderHeight: Float
  private let shankRise: Float

  init(_ style: inout Style) {
    person = style.person
    hand = Vector(person.shoulderWidth * style.uniform(0.5...1.1), 0.055, 0.28 * person.stature)
    let aside = hand.x - person.shoulderWidth / 2
    let arm = person.arm * 0.985
    shoulderHeight = hand.y + max(arm * arm - aside * aside, 0.04).squareRoot()
    let height = 0.035 * person.stature
    let body = person.thigh + person.trunk
    let rise = shoulderHeight - height
    let reach = max(body * body - rise * rise, 0.1).squareRoot()
    knee = Vector(style.stature(0.03...0.06), height, hand.z - reach)
    shankRise = style.uniform(0.1...1.3)
  }

  /// With the chest lowered by a share of the arms' length.
  func lowered(by share: Float) -> Posture {
    let height = hand.y + (shoulderHeight - hand.y) * (1 - share)
    let slope = asin(min(0.95, (height - knee.y) / (person.thigh + person.trunk)))
    var posture = Posture.standing(person, stance: knee.x).planted(hand)
    posture.pelvis = Vector(
      0, knee.y + person.thigh * sin(slope), knee.z + person.thigh * cos(slope))
    posture.pitch = .pi / 2 - slope
    let shank = person.shank * Vector(0, sin(shankRise), -cos(shankRise))
    posture.left.ankle = knee + shank
    posture.right.ankle = posture.left.ankle.mirrored
    return posture.arms(raise: 0.5, forward: .pi / 2)
  }
}
