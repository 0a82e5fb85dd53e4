extension Motion {
  /// Dancing in any way: arms, steps, turns.
  static let freeDance = Motion(
    "free_dance", .other, "dancing in any way: arms, steps, turns", cycle: 2...8, weight: 4,
    counted: false
  ) { style in
    let lowest = style.uniform(0.75...0.97)
    let amplitude = style.uniform(0.2...1)
    let keys: [(Posture, Float)] = (0..<6).map { _ in
      let posture = style.anyArms(style.standing(stance: 0.03...0.14)).changed { posture in
        posture.pelvis.y = style.hips(style.uniform(lowest...0.985))
        posture.pitch = style.uniform(-0.1...0.35) * amplitude
        posture.roll = style.uniform(-0.25...0.25) * amplitude
        posture.twist = style.uniform(-0.5...0.5) * amplitude
        posture.heading = style.uniform(-0.8...0.8) * amplitude
        posture.setAnkles { $0.z = style.stature(-0.1...0.15) * amplitude }
        let lift = style.chance(0.6) ? style.stature(0.02...0.35) * amplitude : 0
        if style.chance(0.5) { posture.left.ankle.y += lift } else { posture.right.ankle.y += lift }
      }.moved(by: Vector(style.stature(-0.2...0.2) * amplitude, 0, 0))
      return (posture, style.uniform(0.6...1.4))
    }
    return Choreography(keys)
  }
}
