extension Motion {
  /// Both hands on a broom, to and fro.
  static let sweeping = Motion(
    "sweeping", .other, "both hands on a broom, to and fro", cycle: 0.9...2.4, weight: 0.7, yaw: 40,
    counted: false
  ) { style in
    let base = style.standing(stance: 0.06...0.12).changed { posture in
      posture.pitch = style.uniform(0.1...0.5)
      posture.right.ankle.z = -style.stature(0...0.15)
    }
    let turn = style.uniform(0.2...0.6)
    let near = base.leftArm(raise: 0.7, forward: 1.3, reach: 0.6)
      .rightArm(raise: 0.4, forward: 2, reach: 0.7).changed { $0.twist = turn }
    let far = base.leftArm(raise: 1, forward: 1.7, reach: 0.8)
      .rightArm(raise: 0.7, forward: 1.6, reach: 0.85).changed { $0.twist = -turn }
    return Choreography([(near, 1), (far, 1)])
  }
}
