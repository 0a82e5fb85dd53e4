extension Motion {
  /// Talking with gestures, standing or seated.
  static let talking = Motion(
    "talking", .other, "talking with gestures, standing or seated", cycle: 2...8, weight: 4,
    counted: false
  ) { style in
    let base = style.chance(0.35) ? style.sitting() : style.standing()
    let keys: [(Posture, Float)] = (0..<5).map { _ in
      let posture = style.anyArms(base, amplitude: 0.3).changed { posture in
        posture.left.armReach = style.uniform(0.4...0.8)
        posture.right.armReach = style.uniform(0.4...0.8)
        posture.twist = style.uniform(-0.3...0.3)
        posture.turn = style.uniform(-0.4...0.4)
        posture.nod = style.uniform(-0.2...0.3)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
