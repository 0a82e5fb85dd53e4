extension Motion {
  /// A long step forward until the rear knee is just above the floor, and back again.
  public static let lunges = Motion(
    "lunges", .lunges, "a long step forward, down on it, and back", cycle: 1.3...4, weight: 3,
    yaw: 50
  ) { style in
    let rest = style.lungeRest()
    let low = style.lunge(rest, front: style.stature(0.28...0.52), rear: 0)
    return style.steppingLunge(rest, low: low, foot: \.left)
  }
}
