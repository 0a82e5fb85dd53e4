extension Motion {
  /// On hands and knees, a bent leg goes up behind.
  static let donkeyKicks = Motion(
    "donkey_kicks", .other, "on all fours, a leg goes up behind", cycle: 0.9...2.5, weight: 0.4,
    yaw: 80
  ) { style in
    let rest = style.onAllFours()
    let person = style.person
    let up = rest.changed { posture in
      posture.left.ankle = Vector(
        posture.left.ankle.x, posture.pelvis.y + style.stature(0.02...0.2), -person.thigh * 0.9)
    }
    return Choreography([(rest, 1), (up, 1)], alternates: style.chance(0.3))
  }
}
