extension Motion {
  /// A ball is thrown and caught with both hands, or shot at a basket.
  static let ballThrowing = Motion(
    "ball_throwing", .other, "a ball thrown and caught with both hands", cycle: 1...3, weight: 0.7,
    counted: false
  ) { style in
    let base = style.standing(stance: 0.05...0.1)
    let held = base.arms(.atChest).changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.8...0.97))
      posture.pitch = style.uniform(0...0.3)
    }
    let away = base.arms(
      raise: style.uniform(1.4...2.6), forward: 1.6, reach: style.uniform(0.85...0.98)
    ).moved(by: Vector(0, style.chance(0.3) ? style.stature(0.02...0.1) : 0, 0))
    return Choreography([(held, 1), (away, style.uniform(0.2...1)), (away, 1), (held, 0.5)])
  }
}
