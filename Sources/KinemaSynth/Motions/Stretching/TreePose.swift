extension Motion {
  /// On one leg, the other foot at the knee, hands together or up.
  static let treePose = Motion(
    "tree_pose", .other, "yoga: on one leg, the other foot at its knee", cycle: 4...10, weight: 0.5,
    counted: false
  ) { style in
    let up = style.chance(0.5)
    let base = style.standing(stance: 0.02...0.04).changed { posture in
      posture.left.ankle = Vector(-0.01, style.hips(style.uniform(0.4...0.6)), 0.06)
      posture.pelvis.x = -0.04
    }.arms(up ? ArmHold(raise: 2.9, forward: 0.5, reach: 0.95) : .atChest)
    let keys: [(Posture, Float)] = (0..<3).map { _ in
      let posture = base.changed { posture in
        posture.roll = style.uniform(-0.06...0.06)
        posture.pelvis.x += style.stature(-0.01...0.01)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(style.chance(0.5) ? keys : keys.map { ($0.0.mirrored, $0.1) })
  }
}
