extension Motion {
  /// A bow with a straight back, the hands behind the head or at the hips.
  static let goodMornings = Motion(
    "good_mornings", .other, "a bow with a straight back", cycle: 1.8...5, weight: 0.5, yaw: 60
  ) { style in
    let hold = style.pick([ArmHold.behindHead, .onHips, .atChest])
    let rest = style.standing(stance: 0.05...0.12).arms(hold)
    let low = rest.changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.9...0.97))
      posture.pelvis.z = -style.stature(0.06...0.12)
      posture.pitch = style.uniform(0.9...1.5)
    }
    return Choreography([(rest, 1), (low, style.uniform(0.05...0.5)), (low, 1), (rest, 0.4)])
  }
}
