extension Motion {
  /// Kicks to the front, one leg or both in turn.
  static let kicks = Motion(
    "kicks", .other, "kicks to the front", cycle: 0.7...2.2, weight: 0.8, yaw: 50
  ) { style in
    let rest = style.standing(stance: 0.04...0.07).arms(.atChest)
    let chambered = rest.changed { posture in
      posture.left.ankle = Vector(
        posture.left.ankle.x, style.hips(0.5), style.person.thigh * 0.5)
    }
    let kicking = rest.changed { posture in
      posture.left.ankle = Vector(
        posture.left.ankle.x, style.hips(style.uniform(0.3...0.9)), style.person.leg * 0.8)
      posture.pitch = -style.uniform(0...0.35)
    }
    return Choreography(
      [(rest, 1), (chambered, 0.6), (kicking, 0.6), (chambered, 1)], alternates: style.chance(0.6))
  }
}
