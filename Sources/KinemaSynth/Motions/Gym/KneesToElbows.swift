extension Motion {
  /// A knee comes up and meets the other side's elbow.
  static let kneesToElbows = Motion(
    "knees_to_elbows", .other, "a knee comes up to the other side's elbow", cycle: 0.7...2,
    weight: 0.7
  ) { style in
    let rest = style.standing(stance: 0.04...0.08).arms(.behindHead)
    let crunch = rest.changed { posture in
      posture.left.ankle = Vector(
        0, style.hips(style.uniform(0.25...0.5)), style.person.thigh * 0.7)
      posture.pitch = style.uniform(0.1...0.5)
      posture.twist = style.uniform(0.2...0.6)
    }
    return Choreography([(rest, 1), (crunch, 1)], alternates: true)
  }
}
