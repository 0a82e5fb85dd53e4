extension Motion {
  /// The hands go from the shoulders straight up, standing or seated.
  static let overheadPresses = Motion(
    "overhead_presses", .other, "the hands go from the shoulders straight up", cycle: 1.2...4,
    weight: 2
  ) { style in
    let base = style.chance(0.3) ? style.sitting() : style.standing(stance: 0.04...0.14)
    let low = base.arms(raise: style.uniform(1.7...2), forward: 0.3, reach: 0.35)
    let high = base.arms(raise: style.uniform(2.8...3.1), forward: 0.3, reach: 0.98)
    return Choreography([(low, 1), (high, 0.2), (high, 1), (low, style.uniform(0.05...0.5))])
  }
}
