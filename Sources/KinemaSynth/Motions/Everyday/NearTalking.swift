extension Motion {
  /// Head and shoulders before a camera, talking, nodding, pointing.
  static let nearTalking = Motion(
    "near_talking", .other, "head and shoulders before the camera, talking", cycle: 1.5...6,
    weight: 1.5, counted: false, sighting: .near
  ) { style in
    let base = style.chance(0.5) ? style.sitting() : style.standing()
    let lean = style.uniform(0...0.25)
    let keys: [(Posture, Float)] = (0..<5).map { _ in
      let posture = style.anyArms(base, amplitude: style.uniform(0.1...0.7)).changed { posture in
        posture.pitch += style.uniform(-lean...lean)
        posture.roll = style.uniform(-0.1...0.1)
        posture.nod = style.uniform(-0.3...0.4)
        posture.turn = style.uniform(-0.6...0.6)
      }.moved(by: Vector(style.stature(-0.04...0.04), 0, style.stature(-0.04...0.06)))
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
