extension Motion {
  /// Clapping in front of the chest or overhead.
  static let clapping = Motion(
    "clapping", .other, "clapping, in front or overhead", cycle: 0.25...1, weight: 0.8,
    counted: false
  ) { style in
    let base = style.chance(0.3) ? style.sitting() : style.standing()
    let raise = style.chance(0.7) ? style.uniform(0.7...1.4) : style.uniform(2.3...2.8)
    let reach = style.uniform(0.5...0.8)
    let apart = base.arms(raise: raise, forward: style.uniform(0.9...1.3), reach: reach)
    let together = base.arms(raise: raise, forward: style.uniform(1.75...2), reach: reach)
    return Choreography([(apart, 1), (together, 1)])
  }
}
