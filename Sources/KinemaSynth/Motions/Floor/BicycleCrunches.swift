extension Motion {
  /// On the back, elbow to the other side's knee in turn.
  static let bicycleCrunches = Motion(
    "bicycle_crunches", .other, "on the back, elbow to the other side's knee", cycle: 0.6...2,
    weight: 0.6, yaw: 80
  ) { style in
    let leg = style.person.leg
    let crunch = style.supine().arms(.behindHead).changed { posture in
      posture.pitch = style.uniform(-1.2...(-0.8))
      posture.twist = style.uniform(0.3...0.7)
      posture.left.ankle = Vector(0.1, style.stature(0.15...0.25), leg * style.uniform(0.3...0.45))
      posture.right.ankle = Vector(-0.1, style.stature(0.06...0.15), leg * 0.93)
    }
    return Choreography([(crunch, 1)], alternates: true)
  }
}
