extension Motion {
  /// One foot steps forward and back, the hips follow.
  static let mambo = Motion(
    "mambo", .other, "one foot steps forward and back, the hips follow", cycle: 0.8...2.4,
    weight: 1.2,
    yaw: 40, counted: false
  ) { style in
    let step = style.stature(0.06...0.25)
    let base = style.standing(stance: 0.03...0.06).arms(
      raise: style.uniform(0.2...0.7), forward: 1, reach: style.uniform(0.5...0.8))
    let ahead = base.changed { posture in
      posture.left.ankle.z = step
      posture.pelvis.z = step * 0.5
      posture.pelvis.y = style.hips(0.95)
      posture.heading = -style.uniform(0...0.3)
    }
    let behind = base.changed { posture in
      posture.left.ankle.z = -step
      posture.pelvis.z = -step * 0.4
      posture.pelvis.y = style.hips(0.95)
      posture.heading = style.uniform(0...0.3)
    }
    return Choreography(
      [(ahead, 1), (base, 0.7), (behind, 1), (base, 0.7)], alternates: style.chance(0.3))
  }
}
