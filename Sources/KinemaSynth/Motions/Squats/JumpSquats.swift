extension Motion {
  /// A squat, and out of it into the air.
  public static let jumpSquats = Motion(
    "jump_squats", .squats, "a squat, and out of it into the air", cycle: 1...2.6, weight: 0,
    yaw: 35
  ) { style in
    let squat = style.squat(stance: 0.05...0.13, hipHeight: 0.42...0.72)
    let jump = style.stature(0.04...0.16)
    let flight = squat.rest.changed { posture in
      posture.pelvis.y += jump
      posture.setAnkles { $0.y += jump }
    }
    return Choreography([(squat.postures[1], 1), (flight, 1)])
  }
}
