extension Motion {
  /// A cup goes to the mouth and down again.
  static let drinking = Motion(
    "drinking", .other, "a cup to the mouth and down", cycle: 2...6, weight: 0.8, counted: false
  ) { style in
    let base = style.chance(0.5) ? style.sitting() : style.standing()
    let low = base.leftArm(raise: 0.6, forward: 1.5, reach: style.uniform(0.55...0.8))
    let high = low.leftArm(raise: 1.5, forward: 1.7, reach: 0.4).changed {
      $0.nod = -style.uniform(0.1...0.5)
    }
    return Choreography([(low, 1), (high, style.uniform(0.5...2)), (high, 1), (low, 1.5)])
  }
}
