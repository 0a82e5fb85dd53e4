extension Motion {
  /// A stumble, a fall to the floor, and lying there.
  static let falling = Motion(
    "falling", .other, "a fall to the floor, lying there, and up again", cycle: 5...12, weight: 0.7,
    yaw: 60, counted: false
  ) { style in
    let rest = style.standing()
    let stumbling = rest.changed { posture in
      posture.pitch = style.uniform(-0.2...0.6)
      posture.roll = style.uniform(-0.3...0.3)
      posture.left.ankle.z = style.stature(0.05...0.2)
    }.arms(raise: style.uniform(0.8...1.8))
    let isForward = style.chance(0.5)
    let ground = isForward ? style.prone() : style.supine(bend: 0.6...0.95)
    let halfway = Posture(lanes: (stumbling.lanes + ground.lanes) * 0.5).changed { posture in
      posture.pelvis.y = style.hips(0.3)
      posture.setAnkles { $0.y = style.person.ankleHeight }
    }
    return Choreography([
      (rest, 1), (stumbling, 0.4), (halfway, 0.3), (ground, style.uniform(2...6)), (ground, 1.5),
      (halfway, 1), (rest, style.uniform(0.5...2)),
    ])
  }
}
