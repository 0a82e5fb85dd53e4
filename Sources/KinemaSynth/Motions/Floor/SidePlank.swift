import Foundation

extension Motion {
  /// Straight on one hand and the side of a foot.
  static let sidePlank = Motion(
    "side_plank", .other, "straight on one hand and one foot's side", cycle: 2...8, weight: 0.4,
    counted: false
  ) { style in
    let person = style.person
    let shoulder = 0.055 + person.arm * 0.97
    let body = person.leg * 0.99 + person.trunk
    let slope = asin(min(0.7, (shoulder - 0.1) / body))
    let base = style.standing(stance: 0.02...0.04).changed { posture in
      posture.roll = .pi / 2 - slope
      posture.pelvis = Vector(0, 0.1 + person.leg * 0.99 * sin(slope), 0)
      let feet = Vector(-person.leg * 0.99 * cos(slope), 0.08, 0)
      posture.left.ankle = feet
      posture.right.ankle = feet + Vector(0, 0.12, 0)
      posture.left.hand = Vector(person.trunk * cos(slope) + 0.05, 0.055, 0)
      posture.left.planted = 1
    }.rightArm(raise: style.pick([0.2, 3]), forward: 0.3, reach: 0.95)
    let dip = base.changed { $0.pelvis.y -= style.stature(0...0.06) }
    let keys: [(Posture, Float)] = [(base, 1), (dip, 1)]
    return Choreography(style.chance(0.5) ? keys : keys.map { ($0.0.mirrored, $0.1) })
  }
}
