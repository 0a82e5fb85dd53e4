extension Motion {
  /// Burpees whose feet step back and forward one after the other.
  public static let stepBackBurpees = Motion(
    "step_back_burpees", .burpees, "burpees without a jump back: the feet step", cycle: 2.6...7,
    weight: 1, yaw: 60
  ) { style in
    style.burpee(stepping: true)
  }
}
