extension Motion {
  /// Marching on the spot.
  static let marching = Motion(
    "marching", .other, "marching on the spot", cycle: 0.35...1, weight: 2, yaw: 40
  ) { style in
    let rest = style.striding(bend: style.chance(0.3) ? 0.65 : 0.95)
    let swing = style.uniform(0.05...0.9)
    let up = rest.changed { posture in
      posture.right.ankle.y += style.stature(0.06...0.3)
      posture.right.ankle.z = style.stature(0...0.15)
    }.rightArm(raise: swing * 0.6, forward: -.pi / 2).leftArm(raise: swing, forward: .pi / 2)
    return Choreography([(rest, 0.6), (up, 1)], alternates: true)
  }
}
