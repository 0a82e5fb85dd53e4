extension Motion {
  /// A bend in the hips until the hands are at the shins, and up again.
  static let deadlifts = Motion(
    "deadlifts", .other, "a bend in the hips, the hands down to the shins", cycle: 2...6, weight: 1,
    yaw: 60
  ) { style in
    let rest = style.standing(stance: 0.05...0.12).arms(raise: 0.1, forward: 1.2, reach: 0.98)
    let low = rest.changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.72...0.95))
      posture.pelvis.z = -style.stature(0.07...0.13)
      posture.pitch = style.uniform(0.9...1.45)
      posture.nod = -0.4
    }.arms(raise: 0.3, forward: 1.57)
    return Choreography([(rest, 1), (low, style.uniform(0.05...0.5)), (low, 1), (rest, 0.4)])
  }
}
