extension Motion {
  /// Straight over the forearms, holding still.
  static let forearmPlank = Motion(
    "forearm_plank", .other, "straight over the forearms, holding still", cycle: 3...10,
    weight: 0.8,
    yaw: 80, counted: false
  ) { style in
    let base = style.forearmPlank()
    let keys: [(Posture, Float)] = (0..<3).map { _ in
      let posture = base.changed { posture in
        posture.pelvis.y += style.stature(-0.012...0.015)
        posture.nod += style.uniform(-0.2...0.2)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
