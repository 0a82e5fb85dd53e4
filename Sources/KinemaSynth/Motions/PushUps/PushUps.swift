extension Motion {
  /// Straight from head to heel on hands and toes; the chest goes down to the floor and up again.
  public static let pushUps = Motion(
    "push_ups", .pushUps, "chest to the floor and up again, straight from head to heel",
    cycle: 0.9...4, weight: 4, yaw: 80
  ) { style in
    let support = style.uniform(0...1)
    let place = PlankPlace(
      &style, spread: 0.5...1.1, handRise: support < 0.12 ? style.uniform(0.1...0.3) : 0,
      footRise: support > 0.88 ? style.uniform(0.1...0.28) : 0, pike: -0.04...0.07)
    let depth = style.uniform(0.3...0.75)
    return style.pressing(
      from: place.top, half: place.lowered(by: depth / 2), to: place.lowered(by: depth))
  }
}
