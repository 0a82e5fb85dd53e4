extension Motion {
  /// Squats with the feet wide apart and an upright trunk.
  public static let sumoSquats = Motion(
    "sumo_squats", .squats, "squats with the feet wide apart", cycle: 1.4...5, weight: 0.8, yaw: 25
  ) { style in
    style.squat(stance: 0.16...0.22, hipHeight: 0.45...0.78)
  }
}
