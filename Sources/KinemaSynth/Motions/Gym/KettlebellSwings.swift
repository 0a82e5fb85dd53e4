extension Motion {
  /// The hips thrust, and the arms swing from between the legs to the front.
  static let kettlebellSwings = Motion(
    "kettlebell_swings", .other, "hips thrust, arms swing from between the legs to the front",
    cycle: 1.1...2.4, weight: 1, yaw: 60
  ) { style in
    let base = style.standing(stance: 0.08...0.13)
    let high = base.arms(raise: style.uniform(1.2...2.2), forward: 1.57, reach: 0.97)
    let low = base.changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.78...0.92))
      posture.pelvis.z = -style.stature(0.08...0.13)
      posture.pitch = style.uniform(0.7...1.2)
      posture.nod = -0.3
    }.arms(raise: 0.15, forward: -1.2, reach: 0.97)
    return Choreography([(high, 1), (low, 1)])
  }
}
