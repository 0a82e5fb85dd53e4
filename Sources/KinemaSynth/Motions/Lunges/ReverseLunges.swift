extension Motion {
  /// A long step back until the rear knee is just above the floor, and forward again.
  public static let reverseLunges = Motion(
    "reverse_lunges", .lunges, "a long step back, down on it, and forward again", cycle: 1.3...4,
    weight: 3, yaw: 50
  ) { style in
    let rest = style.lungeRest()
    let low = style.lunge(rest, front: 0, rear: -style.stature(0.28...0.52))
    return style.steppingLunge(rest, low: low, foot: \.right)
  }
}
