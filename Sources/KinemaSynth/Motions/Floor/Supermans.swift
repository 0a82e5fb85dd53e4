extension Motion {
  /// On the front, arms and legs come off the floor.
  static let supermans = Motion(
    "supermans", .other, "on the front, arms and legs come off the floor", cycle: 1.5...5,
    weight: 0.6,
    yaw: 80
  ) { style in
    let low = style.prone()
    let high = low.changed { posture in
      posture.pitch = style.uniform(1.15...1.4)
      posture.nod = -0.4
      let lift = style.stature(0.03...0.12)
      posture.setAnkles { $0.y += lift }
    }.arms(raise: style.uniform(1.5...2), forward: style.uniform(1...1.6), reach: 0.95)
    return Choreography([(low, 1), (high, style.uniform(0.1...0.8)), (high, 1), (low, 0.3)])
  }
}
