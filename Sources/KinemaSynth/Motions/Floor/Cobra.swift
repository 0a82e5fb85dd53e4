extension Motion {
  /// On the front, the chest is pushed up while the hips stay down.
  static let cobra = Motion(
    "cobra", .other, "on the front, the chest pushed up, hips down", cycle: 2.5...8, weight: 0.5,
    yaw: 80
  ) { style in
    let low = style.prone()
    let person = style.person
    let hand = Vector(person.shoulderWidth * 0.6, 0.055, person.trunk * 0.85)
    let flat = low.planted(hand)
    let high = flat.changed { posture in
      posture.pitch = style.uniform(0.55...1)
      posture.nod = -0.3
    }
    return Choreography([(flat, 1), (high, style.uniform(0.3...1.5)), (high, 1), (flat, 0.4)])
  }
}
