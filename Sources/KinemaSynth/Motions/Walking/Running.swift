extension Motion {
  /// Running, with a flight between the steps.
  static let running = Motion(
    "running", .other, "running past or on a treadmill", cycle: 0.28...0.5, weight: 1.5, yaw: 70,
    counted: false
  ) { style in
    var gait = style.gait(
      step: 0.2...0.4, lift: 0.12...0.35, swing: 0.4...0.9, hop: 0.01...0.05, bend: 0.6)
    let lean = style.uniform(0.05...0.3)
    gait.postures = gait.postures.map { posture in posture.changed { $0.pitch = lean } }
    return gait
  }
}
