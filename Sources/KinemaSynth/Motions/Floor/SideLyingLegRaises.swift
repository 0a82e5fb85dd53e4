import Foundation

extension Motion {
  /// On the side, the upper leg goes up and down.
  static let sideLyingLegRaises = Motion(
    "side_lying_leg_raises", .other, "on the side, the upper leg up and down", cycle: 1...3,
    weight: 0.4
  ) { style in
    let person = style.person
    let rest = style.standing(stance: 0.02...0.04).changed { posture in
      posture.roll = 1.35
      posture.pelvis = Vector(0, 0.12, 0)
      posture.left.ankle = Vector(-person.leg * 0.97, 0.06, 0)
      posture.right.ankle = Vector(-person.leg * 0.97, 0.16, 0)
      posture.left.hand = Vector(person.trunk, 0.055, 0.2)
      posture.left.planted = 1
    }.rightArm(raise: 0.5, forward: 1.4, reach: 0.7)
    let angle = style.uniform(0.4...0.9)
    let up = rest.changed { posture in
      posture.right.ankle = Vector(
        -person.leg * 0.97 * cos(angle), 0.2 + person.leg * 0.97 * sin(angle), 0)
    }
    return Choreography([(rest, 1), (up, style.uniform(0.05...0.4)), (up, 1), (rest, 0.2)])
  }
}
