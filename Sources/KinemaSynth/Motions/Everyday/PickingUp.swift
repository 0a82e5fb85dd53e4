extension Motion {
  /// Bending or crouching for something on the floor.
  static let pickingUp = Motion(
    "picking_up", .other, "bending or crouching once for something on the floor", cycle: 3...8,
    weight: 1.2, yaw: 50, counted: false
  ) { style in
    let rest = style.standing()
    let bends = style.chance(0.6)
    let low = rest.changed { posture in
      posture.pelvis.y = style.hips(bends ? style.uniform(0.75...0.95) : style.uniform(0.4...0.6))
      posture.pelvis.z = -style.stature(0.05...0.12)
      posture.pitch = bends ? style.uniform(1.1...1.8) : style.uniform(0.5...1.1)
      posture.left.ankle.z = style.stature(0...0.15)
    }.leftArm(raise: 0.3, forward: 1.57, reach: 0.97)
    let carried = rest.arms(raise: 0.7, forward: 1.6, reach: style.uniform(0.5...0.9))
    let after = style.chance(0.5) ? carried : rest
    return Choreography([
      (rest, 1), (low, style.uniform(0.1...0.6)), (low, 1), (after, style.uniform(0.8...3)),
      (after, 0.6), (rest, style.uniform(0.2...2)),
    ])
  }
}
