extension Motion {
  /// Straight arms go up to the sides or to the front and down again.
  static let armRaises = Motion(
    "arm_raises", .other, "straight arms up to the side or the front, and down", cycle: 1.2...4,
    weight: 3
  ) { style in
    let base = style.chance(0.15) ? style.sitting() : style.standing(stance: 0.03...0.17)
    let forward = style.chance(0.5) ? style.uniform(-0.1...0.3) : style.uniform(1.2...1.6)
    let low = base.arms(raise: style.uniform(0.05...0.25), forward: forward, reach: 0.96)
    let top = style.uniform(1.2...3.1)
    let oneByOne = style.chance(0.3)
    let high = oneByOne ? low.leftArm(raise: top) : low.arms(raise: top)
    return Choreography(
      [(low, 1), (high, style.uniform(0.05...0.6)), (high, 1), (low, style.uniform(0.05...0.6))],
      alternates: oneByOne)
  }
}
