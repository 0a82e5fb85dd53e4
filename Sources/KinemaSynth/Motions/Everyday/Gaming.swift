extension Motion {
  /// A controller in both hands, on a chair or on the feet.
  static let gaming = Motion(
    "gaming", .other, "a controller in both hands, swaying along", cycle: 1.5...5, weight: 0.6,
    counted: false
  ) { style in
    let base = style.chance(0.7) ? style.sitting() : style.standing()
    let keys: [(Posture, Float)] = (0..<4).map { _ in
      let posture = base.arms(raise: style.uniform(0.6...1), forward: 1.9, reach: 0.5).changed {
        posture in
        posture.pitch += style.uniform(-0.1...0.25)
        posture.roll = style.uniform(-0.15...0.15)
        posture.nod = style.uniform(-0.1...0.4)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
