extension Motion {
  /// The hands go up and down in turn before the chest.
  static let juggling = Motion(
    "juggling", .other, "hands up and down in turn before the chest", cycle: 0.25...0.6,
    weight: 0.6,
    counted: false
  ) { style in
    let base = style.standing().changed { $0.nod = -style.uniform(0...0.4) }
    let low = ArmHold(raise: 0.6, forward: 1.5, reach: style.uniform(0.65...0.75))
    let high = ArmHold(raise: style.uniform(0.9...1.2), forward: 1.6, reach: 0.65)
    let toss = base.leftArm(raise: high.raise, forward: high.forward, reach: high.reach)
      .rightArm(raise: low.raise, forward: low.forward, reach: low.reach)
    return Choreography([(toss, 1)], alternates: true)
  }
}
