extension Motion {
  /// Down to the floor, a while there, and up again.
  static let gettingDown = Motion(
    "getting_down", .other, "down to sit or lie on the floor, and up again", cycle: 6...16,
    weight: 1,
    yaw: 50, counted: false
  ) { style in
    let person = style.person
    let rest = style.standing()
    let crouched = rest.changed { posture in
      posture.pelvis.y = style.hips(0.45)
      posture.pelvis.z = -0.1 * person.stature
      posture.pitch = style.uniform(0.4...0.9)
      posture.right.ankle.z = -style.stature(0.05...0.2)
    }
    let seated = style.supine(bend: 0.6...0.95).changed { posture in
      posture.pitch = style.uniform(-1.4...0.3)
    }
    return Choreography([
      (rest, 0.8), (crouched, 0.8), (seated, style.uniform(2...6)), (seated, 0.8), (crouched, 0.8),
      (rest, style.uniform(1...5)),
    ])
  }
}
