extension Motion {
  /// Down onto a chair, a while there, and up again.
  static let sittingDown = Motion(
    "sitting_down", .other, "down onto a chair, a while there, and up", cycle: 4.5...14, weight: 2,
    yaw: 40, counted: false
  ) { style in
    let rest = style.standing()
    let seated = rest.changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.45...0.58))
      posture.pelvis.z = -style.stature(0.12...0.25)
      posture.pitch = style.uniform(-0.1...0.4)
    }.arms(raise: 0.7, forward: .pi / 2, reach: 0.85)
    let leaning = seated.changed { posture in
      posture.pitch += style.uniform(0.3...0.7)
      posture.pelvis.y += 0.1
    }
    let nodding = seated.changed { $0.nod = style.uniform(-0.3...0.3) }
    return Choreography([
      (rest, 0.6), (leaning, 0.4), (seated, style.uniform(2...6)), (nodding, 0.4),
      (leaning, style.uniform(0.6...0.9)), (rest, style.uniform(0.2...3)),
    ])
  }
}
