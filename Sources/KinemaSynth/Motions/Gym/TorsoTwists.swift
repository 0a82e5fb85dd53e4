extension Motion {
  /// The shoulders turn from side to side over still hips.
  static let torsoTwists = Motion(
    "torso_twists", .other, "shoulders turn from side to side", cycle: 0.8...3, weight: 0.8
  ) { style in
    let angle = style.uniform(0.4...1)
    let twisted = style.standing().arms(
      raise: style.uniform(0.6...1.6), forward: style.uniform(0...1.6),
      reach: style.uniform(0.4...0.95)
    ).changed { posture in
      posture.twist = angle
      posture.turn = angle * 0.3
    }
    return Choreography([(twisted, 1)], alternates: true)
  }
}
