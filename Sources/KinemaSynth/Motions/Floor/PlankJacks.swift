extension Motion {
  /// In a plank, the feet jump apart and together, or the shoulders are tapped.
  static let plankJacks = Motion(
    "plank_jacks", .other, "in a plank, feet apart and together", cycle: 0.6...1.6, weight: 0.5,
    yaw: 60
  ) { style in
    let place = PlankPlace(&style)
    let aside = style.stature(0.1...0.2)
    let open = place.top.changed { posture in
      posture.left.ankle.x = aside
      posture.right.ankle.x = -aside
      posture.pelvis.y += style.stature(0...0.03)
    }
    return Choreography([(place.top, 1), (open, 1)])
  }
}
