extension Motion {
  /// Hands to the floor, feet back to a plank in a jump, often a push-up, feet forward, and a jump.
  public static let burpees = Motion(
    "burpees", .burpees, "down to a plank and up, often with a push-up and a jump",
    cycle: 2...6.5, weight: 4, yaw: 60
  ) { style in
    style.burpee(stepping: false)
  }
}
