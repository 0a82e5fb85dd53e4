extension Motion {
  /// Nobody: what a pose network makes of furniture and shadows.
  static let emptyRoom = Motion(
    "empty_room", .other, "nobody there; poses that a network makes of furniture", cycle: 1...4,
    weight: 1.5, counted: false, sighting: .nobody
  ) { style in
    let keys: [(Posture, Float)] = (0..<3).map { _ in
      let posture = style.anyArms(style.chance(0.6) ? style.standing() : style.sitting())
      return (posture.changed { $0.pitch = style.uniform(-0.5...0.8) }, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
