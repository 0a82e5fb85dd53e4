extension Motion {
  /// Sitting leant back, the hands go from side to side.
  static let russianTwists = Motion(
    "russian_twists", .other, "sitting leant back, hands from side to side", cycle: 0.6...2,
    weight: 0.5, yaw: 60
  ) { style in
    let twisted = style.supine(bend: 0.5...0.75).changed { posture in
      posture.pitch = style.uniform(-0.8...(-0.4))
      posture.twist = style.uniform(0.4...0.9)
      let lift = style.chance(0.5) ? style.stature(0.03...0.12) : 0
      posture.setAnkles { $0.y += lift }
    }.leftArm(raise: 1, forward: 0.7, reach: 0.6).rightArm(raise: 1, forward: 2, reach: 0.6)
    return Choreography([(twisted, 1)], alternates: true)
  }
}
