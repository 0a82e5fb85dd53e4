extension Motion {
  /// Feet far apart, bent to the side, one hand down and one up.
  static let trianglePose = Motion(
    "triangle_pose", .other, "yoga: bent to the side, one hand down and one up", cycle: 4...10,
    weight: 0.4, counted: false
  ) { style in
    let rest = style.standing(stance: 0.16...0.24).arms(raise: 1.5, forward: 0, reach: 0.97)
    let bent = rest.changed { posture in
      posture.roll = style.uniform(0.6...0.8)
      posture.pelvis.x = -style.stature(0.02...0.06)
      posture.turn = style.uniform(-0.3...0.3)
    }.leftArm(raise: 0.3).rightArm(raise: 2.9)
    return Choreography(
      [(rest, 0.8), (bent, style.uniform(1...3)), (bent, 0.8)], alternates: style.chance(0.5))
  }
}
