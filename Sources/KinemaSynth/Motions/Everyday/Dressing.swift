extension Motion {
  /// A jacket or a shirt goes on or off.
  static let dressing = Motion(
    "dressing", .other, "a shirt or jacket on or off", cycle: 3...8, weight: 0.6, counted: false
  ) { style in
    let rest = style.standing()
    let keys: [(Posture, Float)] = (0..<5).map { index in
      let high = index % 2 == 1
      let posture = rest.leftArm(
        raise: high ? style.uniform(1.8...2.8) : style.uniform(0.4...1.4),
        forward: style.uniform(-0.4...1.8), reach: style.uniform(0.35...0.7)
      ).rightArm(
        raise: high ? style.uniform(1.2...2.8) : style.uniform(0.4...1.4),
        forward: style.uniform(-0.4...1.8), reach: style.uniform(0.35...0.7)
      ).changed { posture in
        posture.pitch = style.uniform(0...0.4)
        posture.twist = style.uniform(-0.3...0.3)
        posture.nod = style.uniform(0...0.4)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
