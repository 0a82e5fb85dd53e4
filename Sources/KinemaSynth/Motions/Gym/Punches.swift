extension Motion {
  /// Straight punches, left and right.
  static let punches = Motion(
    "punches", .other, "straight punches from a boxer's stance", cycle: 0.35...1.3, weight: 2,
    yaw: 40
  ) { style in
    let guardRaise = style.uniform(1...1.7)
    let base = style.standing(stance: 0.05...0.09).changed { posture in
      posture.left.ankle.z = style.stature(0.05...0.12)
      posture.right.ankle.z = -style.stature(0.05...0.12)
      posture.pelvis.y = style.hips(style.uniform(0.9...0.97))
      posture.pitch = style.uniform(0...0.25)
    }.arms(raise: guardRaise, forward: 1.7, reach: style.uniform(0.35...0.5))
    let turn = style.uniform(0.2...0.5)
    let left = base.leftArm(raise: 1.5, forward: 1.6, reach: 0.98).changed { $0.twist = -turn }
    let right = base.rightArm(raise: 1.5, forward: 1.6, reach: 0.98).changed { $0.twist = turn }
    let pause = style.uniform(0.2...1)
    return Choreography(
      [(base, 1), (left, 1), (base, pause), (right, 1)], repetitionsPerCycle: 2)
  }
}
