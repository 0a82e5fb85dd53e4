extension Motion {
  /// Running on the spot with heels up to the seat.
  static let buttKicks = Motion(
    "butt_kicks", .other, "running on the spot, heels up to the seat", cycle: 0.25...0.7, weight: 2,
    yaw: 60
  ) { style in
    let rest = style.striding(bend: style.uniform(0.5...0.9))
    let up = rest.changed { posture in
      posture.right.ankle.y += style.stature(0.2...0.42)
      posture.right.ankle.z = -style.stature(0.1...0.25)
    }
    return Choreography([(up, 1), (rest, 0.5)], alternates: true)
  }
}
