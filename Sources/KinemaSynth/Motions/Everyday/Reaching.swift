extension Motion {
  /// Reaching up, ahead or down for something.
  static let reaching = Motion(
    "reaching", .other, "reaching up, ahead or aside for something", cycle: 1.6...5, weight: 1,
    counted: false
  ) { style in
    let rest = style.standing()
    let reach = rest.leftArm(
      raise: style.uniform(0.8...3), forward: style.uniform(0...1.7), reach: 0.97
    ).changed { posture in
      posture.pitch = style.uniform(-0.1...0.6)
      posture.roll = style.uniform(-0.2...0.3)
      posture.twist = style.uniform(-0.4...0.2)
      posture.right.ankle.y += style.stature(0...0.05)
    }
    return Choreography(
      [(rest, 1), (reach, style.uniform(0.1...1)), (reach, 1), (rest, style.uniform(0.1...1.5))],
      alternates: style.chance(0.4))
  }
}
