extension Motion {
  /// Bent forward with wide arms, the trunk turns so that one hand goes down.
  static let windmills = Motion(
    "windmills", .other, "bent with wide arms, one hand down after the other", cycle: 0.7...2.2,
    weight: 0.4
  ) { style in
    let low = style.standing(stance: 0.13...0.2).changed { posture in
      posture.pelvis.z = -style.stature(0.05...0.1)
      posture.pelvis.y = style.hips(0.95)
      posture.pitch = style.uniform(1...1.6)
      posture.twist = style.uniform(0.5...1)
    }.leftArm(raise: 2.4, forward: -0.3, reach: 0.97).rightArm(
      raise: 0.3, forward: 0.8, reach: 0.97)
    return Choreography([(low, 1)], alternates: true)
  }
}
