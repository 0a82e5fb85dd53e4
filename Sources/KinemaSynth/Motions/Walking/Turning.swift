extension Motion {
  /// Turning on the spot in small steps.
  static let turning = Motion(
    "turning", .other, "turning on the spot in small steps", cycle: 1.5...5, weight: 1.2,
    counted: false
  ) { style in
    let rest = style.standing(stance: 0.03...0.06)
    let angle = style.uniform(0.8...3.1)
    let keys: [(Posture, Float)] = (0..<6).map { index in
      let posture = rest.changed { posture in
        posture.heading = angle * Float(index) / 5
        if index % 2 == 1 { posture.left.ankle.y += 0.05 } else { posture.right.ankle.y += 0.03 }
        posture.turn = 0.2
      }
      return (posture, index == 5 ? style.uniform(1...4) : 1)
    }
    return Choreography(keys)
  }
}
