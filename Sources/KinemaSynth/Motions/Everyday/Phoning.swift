extension Motion {
  /// A telephone at the ear or before the eyes.
  static let phoning = Motion(
    "phoning", .other, "a telephone at the ear or before the eyes", cycle: 3...9, weight: 1,
    counted: false
  ) { style in
    let base = style.chance(0.4) ? style.sitting() : style.standing()
    let atEar = style.chance(0.5)
    let held =
      atEar
      ? base.leftArm(raise: 1.9, forward: 1, reach: 0.35)
      : base.arms(raise: 0.8, forward: 1.8, reach: 0.55)
    let keys: [(Posture, Float)] = (0..<3).map { _ in
      let posture = held.changed { posture in
        posture.nod = atEar ? style.uniform(-0.2...0.2) : style.uniform(0.2...0.7)
        posture.turn = style.uniform(-0.3...0.3)
        posture.pelvis.x = style.stature(-0.015...0.015)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
