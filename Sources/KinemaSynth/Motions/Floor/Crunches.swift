extension Motion {
  /// On the back, the shoulders come off the floor.
  static let crunches = Motion(
    "crunches", .other, "on the back, the shoulders come off the floor", cycle: 1.2...4, weight: 2,
    yaw: 80
  ) { style in
    let hold = style.pick([
      ArmHold.behindHead, .atChest, ArmHold(raise: 1.5, forward: 1.4, reach: 0.95),
    ])
    let low = style.supine(bend: 0.35...0.7).arms(hold)
    let high = low.changed { posture in
      posture.pitch = style.uniform(-1.25...(-0.7))
      posture.nod = 0.3
    }
    return Choreography([(low, 1), (high, style.uniform(0.05...0.5)), (high, 1), (low, 0.3)])
  }
}
