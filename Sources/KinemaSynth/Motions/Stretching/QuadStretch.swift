extension Motion {
  /// On one leg, the other heel held to the seat.
  static let quadStretch = Motion(
    "quad_stretch", .other, "on one leg, the other heel held to the seat", cycle: 4...10,
    weight: 0.6,
    yaw: 60, counted: false
  ) { style in
    let rest = style.standing(stance: 0.03...0.05)
    let person = style.person
    let held = rest.changed { posture in
      posture.left.ankle = Vector(
        posture.left.ankle.x, posture.pelvis.y - person.thigh * 0.35, -person.thigh * 0.55)
      posture.pitch = style.uniform(0...0.2)
    }.leftArm(raise: 0.5, forward: -1.57, reach: 0.85)
    let arm = style.chance(0.4) ? held.rightArm(raise: 1.5, forward: 0.8) : held
    return Choreography(
      [(rest, 0.6), (arm, style.uniform(1...4)), (arm.changed { $0.pelvis.x += 0.02 }, 0.6)],
      alternates: style.chance(0.5))
  }
}
