extension Motion {
  /// Straight arms swing wide and across the chest while the feet stay.
  static let armSwings = Motion(
    "arm_swings", .other, "arms swing wide or across the chest, feet in place", cycle: 0.6...2,
    weight: 0.8
  ) { style in
    let base = style.standing()
    let raise = style.uniform(1.2...1.7)
    let wide = base.arms(raise: raise, forward: style.uniform(-0.4...0.1), reach: 0.95)
    let across = base.arms(raise: raise, forward: style.uniform(1.6...2.2), reach: 0.85)
    return Choreography([(wide, 1), (across, 1)])
  }
}
