extension Motion {
  /// Staying down in a crouch, the hands busy.
  static let crouching = Motion(
    "crouching", .other, "staying down in a crouch, hands busy", cycle: 2.5...8, weight: 0.8,
    yaw: 40,
    counted: false
  ) { style in
    let base = style.standing(stance: 0.06...0.12).changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.3...0.45))
      posture.pelvis.z = -style.stature(0.1...0.18)
      posture.pitch = style.uniform(0.4...0.9)
      posture.setAnkles { $0.y += 0.03 }
    }
    let keys: [(Posture, Float)] = (0..<4).map { _ in
      let posture = base.arms(
        raise: style.uniform(0.5...1.2), forward: style.uniform(1.2...1.9),
        reach: style.uniform(0.5...0.95)
      ).changed { posture in
        posture.pitch += style.uniform(-0.1...0.1)
        posture.turn = style.uniform(-0.4...0.4)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
