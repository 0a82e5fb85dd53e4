extension Motion {
  /// The arms move high and low while the feet hardly do, as in gestures danced to a song.
  static let armDance = Motion(
    "arm_dance", .other, "arms high and low in turn, feet nearly still", cycle: 1.5...5,
    weight: 1.5,
    counted: false
  ) { style in
    let base = style.standing(stance: 0.04...0.14)
    let keys: [(Posture, Float)] = (0..<5).map { _ in
      let posture = style.anyArms(base).changed { posture in
        posture.pelvis.x = style.stature(-0.03...0.03)
        posture.pelvis.y = style.hips(style.uniform(0.93...0.985))
        posture.twist = style.uniform(-0.3...0.3)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
