extension Motion {
  /// Up a step and down again.
  static let stepUps = Motion(
    "step_ups", .other, "up a step and down again", cycle: 1.4...3.5, weight: 0.8, yaw: 50
  ) { style in
    let rise = style.stature(0.08...0.2)
    let ahead = style.stature(0.12...0.2)
    let rest = style.standing(stance: 0.03...0.06).arms(style.pick([.hanging, .onHips, .atChest]))
    let way = Vector(0, rise, ahead)
    let first = rest.changed { posture in
      posture.left.ankle += way
      posture.pelvis.z = ahead * 0.5
      posture.pitch = style.uniform(0.1...0.35)
    }
    let up = rest.moved(by: way)
    return Choreography(
      [(rest, 1), (first, 0.8), (up, 0.3), (up, 1), (first, 0.8)], alternates: style.chance(0.5))
  }
}
