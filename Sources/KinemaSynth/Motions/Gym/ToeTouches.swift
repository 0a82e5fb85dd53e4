extension Motion {
  /// With straight legs down to the toes, both hands or across.
  static let toeTouches = Motion(
    "toe_touches", .other, "straight legs, hands down to the toes", cycle: 1.2...3.5, weight: 0.8,
    yaw: 40
  ) { style in
    let isAcross = style.chance(0.5)
    let rest = style.standing(stance: isAcross ? 0.12...0.2 : 0.03...0.08).arms(
      raise: style.uniform(0.3...3), forward: style.uniform(0...1))
    let low = rest.changed { posture in
      posture.pelvis.z = -style.stature(0.05...0.1)
      posture.pelvis.y = style.hips(0.95)
      posture.pitch = style.uniform(1.3...1.9)
      posture.twist = isAcross ? style.uniform(0.4...0.9) : 0
    }.arms(raise: 0.25, forward: 1.57, reach: 0.97)
    let across = low.leftArm(raise: 2.2, forward: -0.5)
    return Choreography(
      [
        (rest, 1), (isAcross ? across : low, style.uniform(0.1...0.5)),
        (isAcross ? across : low, 1),
      ],
      alternates: isAcross)
  }
}
