extension Motion {
  /// Feet apart and arms up in one jump, back in another.
  public static let jumpingJacks = Motion(
    "jumping_jacks", .jumpingJacks, "feet apart and arms up in one jump, back in another",
    cycle: 0.6...1.7, weight: 8, yaw: 10
  ) { style in
    let onlyToShoulders = style.chance(0.2)
    let openRaise = style.uniform(onlyToShoulders ? 1.3...1.8 : 2.4...3.1)
    let openStance = style.stature(0.12...0.28)
    let hop = style.stature(0.01...0.05)
    let give = style.stature(0...0.03)
    let reach = style.uniform(0.85...1)
    var closed = style.standing(stance: 0.02...0.07).arms(
      raise: style.uniform(0.05...0.45), forward: style.uniform(-0.1...0.45), reach: reach)
    closed.pelvis.y -= give
    return Choreography(
      style.opening(closed, stance: openStance, raise: openRaise, hop: hop, give: give))
  }
}
