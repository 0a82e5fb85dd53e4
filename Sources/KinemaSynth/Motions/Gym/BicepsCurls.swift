extension Motion {
  /// The forearms come up, both or one after the other.
  static let bicepsCurls = Motion(
    "biceps_curls", .other, "the forearms come up, both or in turn", cycle: 1...4, weight: 2
  ) { style in
    let down = style.standing(stance: 0.04...0.12).arms(raise: 0.1, forward: 1.2, reach: 0.98)
    let raise = style.uniform(0.5...1.2)
    let oneByOne = style.chance(0.4)
    var half = down.leftArm(raise: 0.9, forward: 1.5, reach: 0.75)
    var up = down.leftArm(raise: raise, forward: 1.6, reach: 0.35)
    if !oneByOne {
      half = half.rightArm(raise: 0.9, forward: 1.5, reach: 0.75)
      up = up.rightArm(raise: raise, forward: 1.6, reach: 0.35)
    }
    return Choreography(
      [(down, 1), (half, 1), (up, 1), (half, 1), (down, style.uniform(0.02...0.5))],
      alternates: oneByOne)
  }
}
