extension Motion {
  /// One arm pulled across the chest or behind the head.
  static let shoulderStretch = Motion(
    "shoulder_stretch", .other, "one arm pulled across the chest or behind the head", cycle: 3...9,
    weight: 0.7, counted: false
  ) { style in
    let rest = style.standing()
    let across = style.chance(0.5)
    let held =
      across
      ? rest.leftArm(raise: 1.5, forward: 2.3, reach: 0.8).rightArm(
        raise: 1, forward: 1.7, reach: 0.5)
      : rest.leftArm(raise: 2.8, forward: -0.5, reach: 0.35).rightArm(raise: 2.6, reach: 0.5)
    let settled = held.changed { posture in
      posture.roll = style.uniform(-0.15...0.15)
      posture.turn = style.uniform(-0.3...0.3)
    }
    return Choreography(
      [(rest, 0.8), (held, 1), (settled, style.uniform(1...3)), (held, 0.8)],
      alternates: style.chance(0.6))
  }
}
