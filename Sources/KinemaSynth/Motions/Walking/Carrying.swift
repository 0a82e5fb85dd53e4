extension Motion {
  /// Walking with something in both hands.
  static let carrying = Motion(
    "carrying", .other, "walking with something in both hands or on the head", cycle: 0.45...1,
    weight: 1, yaw: 60, counted: false
  ) { style in
    var gait = style.gait(step: 0.08...0.22, lift: 0.02...0.1, swing: 0...0.1)
    let hold = style.pick([
      ArmHold(raise: 0.7, forward: 1.6, reach: 0.7), .atChest, .withWeights,
      ArmHold(raise: 2.7, forward: 0.2, reach: 0.8),
    ])
    let lean = style.uniform(-0.1...0.2)
    gait.postures = gait.postures.map { posture in
      posture.arms(hold).changed { $0.pitch = lean }
    }
    return gait
  }
}
