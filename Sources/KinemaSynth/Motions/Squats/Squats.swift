extension Motion {
  /// The hips go down and back, the trunk leans forward, the feet stay where they are.
  public static let squats = Motion(
    "squats", .squats, "hips down and back and up again, feet in place", cycle: 1.2...5, weight: 6,
    yaw: 35
  ) { style in
    style.squat(stance: 0.06...0.16, hipHeight: 0.38...0.8)
  }
}
