extension Motion {
  /// Sitting on a chair, moving little.
  static let sitting = Motion(
    "sitting", .other, "sitting on a chair, moving little", cycle: 3...10, weight: 3, yaw: 40,
    counted: false
  ) { style in
    let base = style.sitting()
    let keys: [(Posture, Float)] = (0..<4).map { _ in
      let posture = base.arms(
        raise: style.uniform(0.2...0.9), forward: 1.4, reach: style.uniform(0.6...0.95)
      ).changed { posture in
        posture.pitch += style.uniform(-0.1...0.15)
        posture.nod = style.uniform(-0.3...0.4)
        posture.turn = style.uniform(-0.3...0.3)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
