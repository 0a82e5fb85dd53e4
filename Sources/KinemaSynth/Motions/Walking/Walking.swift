extension Motion {
  /// Walking past, towards, away or on a treadmill.
  static let walking = Motion(
    "walking", .other, "walking past, towards, away or on a treadmill", cycle: 0.4...0.8, weight: 8,
    yaw: 60, counted: false
  ) { style in
    style.gait(step: 0.1...0.3, lift: 0.02...0.12, swing: 0.05...0.6)
  }
}
