extension Motion {
  /// The trunk bends to the sides, an arm over the head.
  static let sideBends = Motion(
    "side_bends", .other, "the trunk bends to the sides", cycle: 1.5...6, weight: 1
  ) { style in
    let rest = style.standing(stance: 0.05...0.14).arms(
      style.pick([.hanging, .onHips, .behindHead]))
    let reach = style.chance(0.6)
    let bent = rest.changed { posture in
      posture.roll = -style.uniform(0.3...0.75)
      posture.pelvis.x = style.stature(0...0.04)
    }
    let over =
      reach ? bent.leftArm(raise: style.uniform(2.2...3.1), forward: 0.2, reach: 0.93) : bent
    return Choreography(
      [(rest, 1), (over, style.uniform(0.1...1.5)), (over, 1)], alternates: style.chance(0.8))
  }
}
