extension Motion {
  /// Straight over stretched arms, holding still.
  static let plank = Motion(
    "plank", .other, "straight over stretched arms, holding still", cycle: 3...10, weight: 1.4,
    yaw: 80, counted: false
  ) { style in
    let place = PlankPlace(&style, pike: -0.04...0.1)
    let keys: [(Posture, Float)] = (0..<4).map { _ in
      let posture = place.top.changed { posture in
        posture.pelvis.y += style.stature(-0.012...0.012)
        posture.nod += style.uniform(-0.15...0.15)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
