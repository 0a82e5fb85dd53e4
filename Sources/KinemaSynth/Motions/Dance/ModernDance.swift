extension Motion {
  /// Wide low steps and turns, as in modern dance.
  static let modernDance = Motion(
    "modern_dance", .other, "wide low steps, bends and turns", cycle: 2.5...8, weight: 1,
    counted: false
  ) { style in
    let keys: [(Posture, Float)] = (0..<5).map { _ in
      let posture = style.anyArms(style.standing(stance: 0.05...0.22)).changed { posture in
        posture.pelvis.y = style.hips(style.uniform(0.6...0.97))
        posture.pelvis.z = style.stature(-0.08...0.08)
        posture.left.ankle.z = style.stature(-0.2...0.2)
        posture.pitch = style.uniform(-0.3...0.9)
        posture.roll = style.uniform(-0.5...0.5)
        posture.twist = style.uniform(-0.6...0.6)
        posture.heading = style.uniform(-1.2...1.2)
      }
      return (posture, style.uniform(0.6...1.4))
    }
    return Choreography(keys)
  }
}
