extension Motion {
  /// Walking backwards.
  static let walkingBackwards = Motion(
    "walking_backwards", .other, "walking backwards", cycle: 0.5...1, weight: 0.5, yaw: 60,
    counted: false
  ) { style in
    var gait = style.gait(step: 0.07...0.18, lift: 0.02...0.08, swing: 0.03...0.3)
    gait.postures.reverse()
    gait.shares.reverse()
    gait.advance *= -1
    return gait
  }
}
