extension Motion {
  /// At a desk, the hands on a keyboard, seen from near.
  static let deskWork = Motion(
    "desk_work", .other, "at a desk, seen from near", cycle: 2...8, weight: 1, counted: false,
    sighting: .near
  ) { style in
    let base = style.sitting().arms(raise: 0.8, forward: 1.6, reach: style.uniform(0.55...0.8))
    let keys: [(Posture, Float)] = (0..<4).map { _ in
      let posture = base.changed { posture in
        posture.left.armReach += style.uniform(-0.12...0.12)
        posture.right.armForward += style.uniform(-0.3...0.3)
        posture.nod = style.uniform(-0.1...0.5)
        posture.turn = style.uniform(-0.4...0.4)
        posture.pitch += style.uniform(-0.08...0.08)
      }
      return (posture, style.uniform(0.5...1.5))
    }
    return Choreography(keys)
  }
}
