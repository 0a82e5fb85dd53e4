extension Motion {
  /// Small slow steps, the hands in the pockets, behind the back or busy.
  static let strolling = Motion(
    "strolling", .other, "small slow steps, the hands busy or still", cycle: 0.55...1.1, weight: 1,
    yaw: 60, counted: false
  ) { style in
    var gait = style.gait(step: 0.05...0.15, lift: 0.01...0.05, swing: 0.02...0.1)
    let hold = style.pick([
      ArmHold.onHips, .atChest, ArmHold(raise: 0.4, forward: -1.4, reach: 0.8),
    ])
    gait.postures = gait.postures.map { $0.arms(hold) }
    return gait
  }
}
