extension Motion {
  /// One hand strums, the other holds the neck.
  static let guitarPlaying = Motion(
    "guitar_playing", .other, "one hand strums, the other holds the neck", cycle: 0.3...1.2,
    weight: 0.4, counted: false
  ) { style in
    let base = (style.chance(0.6) ? style.sitting() : style.standing())
      .leftArm(raise: style.uniform(0.8...1.2), forward: 0.6, reach: 0.7)
    let up = base.rightArm(raise: 0.5, forward: 1.4, reach: 0.55)
    let down = base.rightArm(raise: 0.35, forward: 1.6, reach: style.uniform(0.65...0.75))
    return Choreography([(up, 1), (down, 1)])
  }
}
