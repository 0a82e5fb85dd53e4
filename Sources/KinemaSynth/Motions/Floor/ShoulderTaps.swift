extension Motion {
  /// In a plank, one hand touches the other side's shoulder, then the other hand.
  static let shoulderTaps = Motion(
    "shoulder_taps", .other, "in a plank, hand to the other shoulder", cycle: 0.7...2, weight: 0.5,
    yaw: 70
  ) { style in
    let place = PlankPlace(&style, spread: 0.5...0.8)
    let tap = place.top.changed { posture in
      posture.left.hand = Vector(
        -place.person.shoulderWidth * 0.2, place.shoulderHeight * 0.85, place.hand.z)
      posture.roll = -style.uniform(0...0.1)
    }
    return Choreography([(place.top, 1), (tap, 1)], alternates: true)
  }
}
