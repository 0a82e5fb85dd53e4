extension Motion {
  /// Sideways, foot to foot.
  static let sideStepping = Motion(
    "side_stepping", .other, "side steps to and fro", cycle: 0.8...2.6, weight: 3, counted: false
  ) { style in
    let way = style.stature(0.05...0.3)
    let stance = style.stature(0.08...0.22)
    let narrow = style.anyArms(style.standing(stance: 0.03...0.05), amplitude: 0.5)
    let wide = style.anyArms(style.standing(), amplitude: 0.5).changed { posture in
      posture.pelvis.y = style.hips(0.95)
      posture.left.ankle.x = stance
      posture.right.ankle.x = -stance
    }
    return Choreography([
      (narrow.moved(by: Vector(-way, 0, 0)), 1), (wide, 1),
      (narrow.moved(by: Vector(way, 0, 0)), 1),
      (wide, 1),
    ])
  }
}
