extension Motion {
  /// Hips and shoulders turn against each other over bent knees.
  static let twist = Motion(
    "twist", .other, "hips and shoulders turn against each other", cycle: 0.35...0.9, weight: 0.7,
    counted: false
  ) { style in
    let angle = style.uniform(0.2...0.6)
    let twisted = style.standing(stance: 0.05...0.1).changed { posture in
      posture.heading = angle
      posture.twist = -angle * style.uniform(1...1.8)
      posture.pelvis.y = style.hips(style.uniform(0.75...0.95))
      posture.pitch = style.uniform(0...0.3)
    }.arms(raise: style.uniform(0.5...1.3), forward: 1.2, reach: style.uniform(0.5...0.8))
    return Choreography([(twisted, 1)], alternates: true)
  }
}
