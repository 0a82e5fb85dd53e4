extension Motion {
  /// Side steps with the other foot crossing behind.
  static let grapevine = Motion(
    "grapevine", .other, "side steps, the other foot crossing behind, a clap", cycle: 1.6...4,
    weight: 0.8, counted: false
  ) { style in
    let step = style.stature(0.1...0.22)
    let base = style.standing(stance: 0.03...0.05)
    let open = base.changed { posture in
      posture.left.ankle.x += step
      posture.pelvis.x += step * 0.5
      posture.pelvis.y = style.hips(0.96)
    }.arms(raise: style.uniform(0.3...1.4), forward: 0.2)
    let crossed = base.changed { posture in
      posture.left.ankle.x = step
      posture.right.ankle = Vector(step * 1.4, posture.right.ankle.y, -0.12)
      posture.pelvis.x = step * 1.2
      posture.pelvis.y = style.hips(0.96)
    }
    let closed = base.moved(by: Vector(step * 2, 0, 0)).arms(
      raise: style.uniform(0.5...1.5), forward: 1.7, reach: 0.7)
    return Choreography(
      [(base, 1), (open, 1), (crossed, 1), (closed, 1), (closed, 0.6)], alternates: true)
  }
}
