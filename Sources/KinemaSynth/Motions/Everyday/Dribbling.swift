extension Motion {
  /// A hand bounces a ball.
  static let dribbling = Motion(
    "dribbling", .other, "a hand bounces a ball", cycle: 0.4...1, weight: 0.6, yaw: 30,
    counted: false
  ) { style in
    let base = style.standing(stance: 0.06...0.12).changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.8...0.95))
      posture.pitch = style.uniform(0.1...0.5)
      posture.left.ankle.z = style.stature(-0.05...0.12)
    }.rightArm(raise: 0.6, forward: 1)
    let high = base.leftArm(raise: style.uniform(0.7...1), forward: 1.4, reach: 0.75)
    let low = base.leftArm(raise: 0.4, forward: 1.4, reach: 0.95).changed { $0.pelvis.y -= 0.03 }
    return Choreography([(high, 1), (low, 1)])
  }
}
