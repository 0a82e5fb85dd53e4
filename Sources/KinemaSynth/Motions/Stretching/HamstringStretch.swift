extension Motion {
  /// One straight leg ahead, bent over it.
  static let hamstringStretch = Motion(
    "hamstring_stretch", .other, "one straight leg ahead, bent over it", cycle: 3...9, weight: 0.5,
    yaw: 60
  ) { style in
    let rest = style.standing(stance: 0.03...0.06)
    let low = rest.changed { posture in
      posture.left.ankle.z = style.stature(0.12...0.25)
      posture.pelvis.y = style.hips(style.uniform(0.8...0.92))
      posture.pelvis.z = -style.stature(0.03...0.1)
      posture.pitch = style.uniform(0.6...1.3)
    }.arms(raise: 0.4, forward: 1.57, reach: style.uniform(0.6...0.97))
    return Choreography(
      [(rest, 1), (low, style.uniform(0.5...2)), (low, 1), (rest, 0.5)],
      alternates: style.chance(0.5))
  }
}
