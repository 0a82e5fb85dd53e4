extension Motion {
  /// Strokes with a racket: back, through, and over the shoulder.
  static let racketStrokes = Motion(
    "racket_strokes", .other, "strokes with a racket", cycle: 1...3, weight: 0.6, counted: false
  ) { style in
    let ready = style.standing(stance: 0.07...0.14).changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.85...0.95))
      posture.pitch = style.uniform(0.1...0.3)
    }.arms(.atChest)
    let back = ready.leftArm(raise: style.uniform(1...2.4), forward: -0.5, reach: 0.85).changed {
      posture in
      posture.twist = style.uniform(0.4...0.8)
      posture.right.ankle.z = style.stature(0.02...0.15)
    }
    let through = ready.leftArm(raise: style.uniform(1.2...2), forward: 2.1, reach: 0.9).changed {
      posture in
      posture.twist = -style.uniform(0.3...0.7)
      posture.right.ankle.z = style.stature(0.05...0.2)
    }
    return Choreography([(ready, 1), (back, 0.8), (through, 1)])
  }
}
