extension Motion {
  /// Walking out of the picture.
  static let leaving = Motion(
    "leaving", .other, "walking out of the picture", cycle: 0.4...0.8, weight: 0.8, yaw: 80,
    counted: false, sighting: .leaving
  ) { style in
    var gait = style.gait(step: 0.12...0.3, lift: 0.02...0.1, swing: 0.1...0.6)
    gait.advance = style.stature(0.15...0.5)
    return gait
  }
}
