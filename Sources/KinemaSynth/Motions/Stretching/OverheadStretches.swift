extension Motion {
  /// Arms up high, a little backwards, up on the toes perhaps.
  static let overheadStretches = Motion(
    "overhead_stretches", .other, "arms up high, a little backwards", cycle: 3...9, weight: 0.8
  ) { style in
    let rest = style.standing()
    let high = rest.arms(raise: style.uniform(2.7...3.1), forward: 0.3, reach: 0.98).changed {
      posture in
      posture.pitch = style.uniform(-0.3...0)
      posture.nod = -style.uniform(0...0.4)
    }.moved(by: Vector(0, style.chance(0.3) ? style.stature(0.01...0.04) : 0, 0))
    return Choreography([(rest, 1), (high, style.uniform(0.3...2)), (high, 1), (rest, 0.5)])
  }
}
