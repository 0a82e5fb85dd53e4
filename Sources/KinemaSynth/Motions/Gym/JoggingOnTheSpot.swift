extension Motion {
  /// Jogging on the spot.
  static let joggingOnTheSpot = Motion(
    "jogging_on_the_spot", .other, "jogging on the spot", cycle: 0.22...0.6, weight: 4, yaw: 40
  ) { style in
    let rest = style.striding(bend: style.uniform(0.5...0.9)).changed { posture in
      posture.pitch = style.uniform(0...0.25)
    }
    let swing = style.uniform(0.05...0.6)
    let up = rest.changed { posture in
      posture.right.ankle.y += style.stature(0.04...0.28)
      posture.right.ankle.z = style.stature(-0.2...0.2)
      posture.pelvis.y += style.stature(0...0.05)
    }.rightArm(raise: swing * 0.8, forward: -.pi / 2).leftArm(raise: swing, forward: .pi / 2)
    return Choreography([(rest, 1), (up, 1)], alternates: true)
  }
}
