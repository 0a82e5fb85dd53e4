extension Motion {
  /// Bent forward, the elbows come up beside the trunk.
  static let bentOverRows = Motion(
    "bent_over_rows", .other, "bent forward, the hands are pulled to the trunk", cycle: 1...3.5,
    weight: 0.6, yaw: 60
  ) { style in
    let low = style.standing(stance: 0.05...0.1).changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.82...0.95))
      posture.pelvis.z = -style.stature(0.06...0.12)
      posture.pitch = style.uniform(0.6...1.3)
      posture.nod = -0.4
    }.arms(raise: 0.15, forward: 1.57, reach: 0.97)
    let pull = style.uniform(0.3...0.5)
    let up = style.chance(0.7) ? low.arms(raise: 0.15, reach: pull) : low.leftArm(reach: pull)
    return Choreography([(low, 1), (up, style.uniform(0.05...0.3)), (up, 1), (low, 0.2)])
  }
}
