extension Motion {
  /// Running on the spot with knees up to the hips.
  static let highKnees = Motion(
    "high_knees", .other, "running on the spot, knees up to the hips", cycle: 0.25...0.7, weight: 3,
    yaw: 40
  ) { style in
    let rest = style.striding(bend: 0.65)
    let swing = style.uniform(0.05...0.6)
    let up = rest.changed { posture in
      posture.right.ankle.y += style.stature(0.08...0.45)
      posture.right.ankle.z = style.stature(0...0.25)
      posture.pelvis.y += style.stature(0...0.03)
    }.rightArm(raise: swing * 0.8, forward: -.pi / 2).leftArm(raise: swing, forward: .pi / 2)
    return Choreography([(rest, 1), (up, 1)], alternates: true)
  }
}
