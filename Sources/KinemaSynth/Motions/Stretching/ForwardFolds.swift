extension Motion {
  /// Bent forward, hanging, staying there.
  static let forwardFolds = Motion(
    "forward_folds", .other, "bent forward, hanging, and up again", cycle: 3...9, weight: 1, yaw: 60
  ) { style in
    let rest = style.standing(stance: 0.03...0.12)
    let low = rest.changed { posture in
      posture.pelvis.z = -style.stature(0.05...0.1)
      posture.pelvis.y = style.hips(0.96)
      posture.pitch = style.uniform(0.9...2)
      posture.nod = style.uniform(0...0.5)
    }.arms(raise: 0.2, forward: 1.57, reach: style.uniform(0.8...0.97))
    return Choreography([(rest, 1), (low, style.uniform(0.3...2)), (low, 1), (rest, 0.5)])
  }
}
