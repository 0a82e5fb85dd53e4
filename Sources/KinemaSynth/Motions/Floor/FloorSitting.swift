extension Motion {
  /// Sitting on the floor, looking around or leaning.
  static let floorSitting = Motion(
    "floor_sitting", .other, "sitting on the floor", cycle: 3...9, weight: 0.8, yaw: 40,
    counted: false
  ) { style in
    let isCrossLegged = style.chance(0.4)
    let base = style.supine(bend: isCrossLegged ? 0.25...0.35 : 0.4...0.97).changed { posture in
      posture.pitch = style.uniform(-0.4...0.5)
      if isCrossLegged { posture.setAnkles { $0.x = -$0.x } }
    }.arms(raise: style.uniform(0.3...0.9), forward: style.uniform(-1...1.6), reach: 0.85)
    let keys: [(Posture, Float)] = (0..<3).map { _ in
      let posture = base.changed { posture in
        posture.pitch += style.uniform(-0.15...0.15)
        posture.turn = style.uniform(-0.6...0.6)
        posture.twist = style.uniform(-0.2...0.2)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
