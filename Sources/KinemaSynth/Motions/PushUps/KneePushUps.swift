extension Motion {
  /// Push-ups on the knees.
  public static let kneePushUps = Motion(
    "knee_push_ups", .pushUps, "push-ups on the knees", cycle: 0.9...4, weight: 1, yaw: 80
  ) { style in
    let depth = style.uniform(0.35...0.75)
    let place = KneelingPlankPlace(&style)
    return style.pressing(
      from: place.lowered(by: 0), half: place.lowered(by: depth / 2), to: place.lowered(by: depth))
  }
}
