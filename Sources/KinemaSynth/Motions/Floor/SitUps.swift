extension Motion {
  /// From lying on the back up to sitting, and down.
  static let sitUps = Motion(
    "sit_ups", .other, "from lying on the back up to sitting", cycle: 1.6...5, weight: 2, yaw: 80
  ) { style in
    let hold = style.pick([ArmHold.behindHead, .atChest, .inFront])
    let low = style.supine(bend: 0.4...0.75).arms(hold)
    let high = low.changed { posture in
      posture.pitch = style.uniform(-0.3...0.5)
    }.arms(style.chance(0.5) ? hold : .inFront)
    return Choreography([(low, 1), (high, style.uniform(0.05...0.5)), (high, 1), (low, 0.4)])
  }
}
