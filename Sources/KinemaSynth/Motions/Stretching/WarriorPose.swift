extension Motion {
  /// Feet far apart, one knee bent, arms wide, holding still.
  static let warriorPose = Motion(
    "warrior_pose", .other, "yoga: feet far apart, one knee bent, arms wide, still", cycle: 4...10,
    weight: 0.5, counted: false
  ) { style in
    let step = style.stature(0.22...0.32)
    let base = style.standing().changed { posture in
      posture.left.ankle.x = step
      posture.right.ankle.x = -step
      posture.pelvis.x = step * style.uniform(0.1...0.35)
      posture.pelvis.y = style.hips(style.uniform(0.65...0.8))
      posture.turn = style.uniform(0...1)
    }.arms(raise: style.uniform(1.45...1.65), forward: 0, reach: 0.97)
    let other = base.changed { posture in
      posture.pelvis.y += style.stature(-0.015...0.015)
      posture.roll = style.uniform(-0.08...0.08)
    }
    return Choreography([(base, 1), (other, style.uniform(0.5...1.5))])
  }
}
