extension Motion {
  /// Up on the toes and down again.
  static let calfRaises = Motion(
    "calf_raises", .other, "up on the toes and down", cycle: 0.8...3, weight: 0.6
  ) { style in
    let rest = style.standing(stance: 0.03...0.08).arms(style.armHold())
    let high = rest.moved(by: Vector(0, style.stature(0.025...0.055), 0))
    return Choreography([(rest, 1), (high, style.uniform(0.05...0.6)), (high, 1), (rest, 0.3)])
  }
}
