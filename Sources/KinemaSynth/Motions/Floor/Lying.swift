extension Motion {
  /// Lying on the back, the side or the front, moving little.
  static let lying = Motion(
    "lying", .other, "lying down, moving little", cycle: 3...10, weight: 1.2, yaw: 80,
    counted: false
  ) { style in
    let base = style.chance(0.7) ? style.supine(bend: 0.5...0.98) : style.prone()
    let keys: [(Posture, Float)] = (0..<3).map { _ in
      let posture = base.changed { posture in
        posture.nod += style.uniform(-0.2...0.2)
        posture.turn += style.uniform(-0.5...0.5)
      }.leftArm(
        raise: style.uniform(0.8...1.6), forward: style.uniform(0...2.2),
        reach: style.uniform(0.5...0.95))
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
