extension Motion {
  /// Waving with one hand or both.
  static let waving = Motion(
    "waving", .other, "waving with one hand or both", cycle: 0.4...1.6, weight: 2, counted: false
  ) { style in
    let base = style.chance(0.2) ? style.sitting() : style.standing()
    let (raise, swing) = (style.uniform(1.6...2.8), style.uniform(0.15...0.6))
    let reach = style.uniform(0.6...0.95)
    let both = style.chance(0.3)
    func hand(_ raise: Float) -> Posture {
      let one = base.leftArm(raise: raise, reach: reach)
      return both ? one.rightArm(raise: raise, reach: reach) : one
    }
    return Choreography([(hand(raise + swing), 1), (hand(raise - swing), 1)])
  }
}
