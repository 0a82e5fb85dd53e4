extension Motion {
  /// Small jumps, the hands turning a rope.
  static let jumpRope = Motion(
    "jump_rope", .other, "small jumps over a rope", cycle: 0.3...0.8, weight: 3
  ) { style in
    let low = style.standing(stance: 0.02...0.06).arms(
      raise: style.uniform(0.2...1), forward: style.uniform(-0.2...1.2),
      reach: style.uniform(0.5...0.95)
    ).changed { $0.pelvis.y = style.hips(style.uniform(0.9...0.98)) }
    let hop = style.stature(0.02...0.09)
    let bend = style.chance(0.4) ? style.stature(0...0.15) : 0
    let high = low.changed { posture in
      posture.pelvis.y = style.hips(0.985) + hop
      posture.setAnkles { ankle in
        ankle.y += hop + bend * 0.5
        ankle.z -= bend
      }
    }.arms(raise: low.left.armRaise + 0.06)
    return Choreography([(low, 1), (high, 1)])
  }
}
