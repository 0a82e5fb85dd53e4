import Foundation

extension Motion {
  /// A straight leg goes up to the side.
  static let sideLegRaises = Motion(
    "standing_leg_raises", .other, "a straight leg up to the side or back, standing",
    cycle: 0.9...3,
    weight: 0.5
  ) { style in
    let rest = style.standing(stance: 0.03...0.06).arms(style.armHold())
    let angle = style.uniform(0.4...1)
    let isBack = style.chance(0.4)
    let leg = style.person.leg * 0.985
    let up = rest.changed { posture in
      let reach = leg * sin(angle)
      posture.left.ankle.y = posture.pelvis.y - leg * cos(angle)
      if isBack { posture.left.ankle.z = -reach } else { posture.left.ankle.x += reach }
      posture.roll = isBack ? 0 : -angle * 0.2
      posture.pitch = isBack ? angle * 0.4 : 0
    }
    return Choreography(
      [(rest, 1), (up, style.uniform(0.05...0.4)), (up, 1), (rest, 0.2)],
      alternates: style.chance(0.4))
  }
}
