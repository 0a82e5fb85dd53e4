extension Motion {
  /// From one leg to the other in wide leaps, the free leg behind.
  static let skaters = Motion(
    "skaters", .other, "wide leaps from one leg to the other", cycle: 0.6...1.6, weight: 0.5
  ) { style in
    let aside = style.stature(0.12...0.3)
    let land = style.standing(stance: 0.03...0.06).changed { posture in
      posture.pelvis.x = aside
      posture.left.ankle.x = aside
      posture.right.ankle = Vector(aside * 1.2, style.hips(0.1), -style.stature(0.1...0.25))
      posture.pelvis.y = style.hips(style.uniform(0.75...0.92))
      posture.pitch = style.uniform(0.2...0.7)
    }.leftArm(raise: 0.6, forward: -1).rightArm(raise: 0.9, forward: 2, reach: 0.8)
    let flight = style.standing().changed { posture in
      posture.pelvis.y += style.stature(0...0.04)
      posture.setAnkles { $0.y += style.stature(0.02...0.06) }
    }
    return Choreography([(land, 1), (flight, 1)], alternates: true)
  }
}
