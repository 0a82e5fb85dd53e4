extension Motion {
  /// On hands and feet, getting ahead.
  static let bearCrawl = Motion(
    "bear_crawl", .other, "on hands and feet, getting ahead", cycle: 0.5...1.4, weight: 0.4, yaw: 80
  ) { style in
    let place = PlankPlace(&style)
    let reach = style.stature(0.06...0.12)
    let lift = style.stature(0.02...0.05)
    let crawl = place.top.changed { posture in
      posture.setAnkles { $0.z += place.person.stature * 0.3 }
      posture.pelvis.y = style.hips(style.uniform(0.45...0.7))
      posture.pitch = style.uniform(1.6...1.8)
      posture.left.hand.z += reach
      posture.left.hand.y += lift
      posture.right.ankle.z += reach
      posture.right.ankle.y += lift
      posture.right.hand.z -= reach
      posture.left.ankle.z -= reach
    }
    return Choreography(
      [(crawl, 1)], alternates: true, advance: style.chance(0.5) ? reach * 2 : 0)
  }
}
