extension Motion {
  /// Jumping jacks without the jump: one foot steps aside, then the other.
  public static let stepJacks = Motion(
    "step_jacks", .jumpingJacks, "one foot steps aside as the arms go up, then the other",
    cycle: 0.7...1.6, weight: 1, yaw: 10
  ) { style in
    let raise = style.uniform(2.2...3.1)
    let step = style.stature(0.15...0.27)
    let closed = style.standing(stance: 0.03...0.06)
    var open = closed.arms(raise: raise)
    open.left.ankle.x = step
    open.pelvis.x = step * 0.35
    open.pelvis.y = style.hips(style.uniform(0.93...0.97))
    let pause = style.uniform(0.05...0.4)
    return Choreography([(closed, 1), (open, pause), (open, 1), (closed, pause)], alternates: true)
  }
}
