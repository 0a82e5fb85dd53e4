extension Motion {
  /// Kneeling on one or both knees, working or resting.
  static let kneeling = Motion(
    "kneeling", .other, "kneeling, hands busy or at rest", cycle: 2...7, weight: 0.8, yaw: 50,
    counted: false
  ) { style in
    var base = style.kneeling()
    if style.chance(0.5) {
      base.left.ankle = Vector(
        base.left.ankle.x, style.person.ankleHeight, style.person.thigh * 0.8)
    }
    if style.chance(0.4) { base.pelvis.y *= style.uniform(0.55...0.9) }
    let keys: [(Posture, Float)] = (0..<3).map { _ in
      let posture = style.anyArms(base, amplitude: 0.4).changed { posture in
        posture.pitch = style.uniform(-0.1...0.7)
        posture.turn = style.uniform(-0.4...0.4)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
