extension Motion {
  /// From a plank, the knees come to the chest in turn.
  static let mountainClimbers = Motion(
    "mountain_climbers", .other, "from a plank, knees to the chest in turn", cycle: 0.3...1.2,
    weight: 1.3, yaw: 80
  ) { style in
    let place = PlankPlace(&style, pike: -0.02...0.12)
    let reach = style.stature(0.2...0.42)
    let climb = place.top.changed { posture in
      posture.left.ankle.z += reach
      posture.left.ankle.y += style.stature(0...0.05)
    }
    return Choreography([(climb, 1)], alternates: true)
  }
}
