extension Motion {
  /// From foot to foot to the beat, the arms loose.
  static let groove = Motion(
    "groove", .other, "from foot to foot to the beat", cycle: 0.4...1.1, weight: 1.5, counted: false
  ) { style in
    let sway = style.stature(0.01...0.06)
    let bounce = style.uniform(0.86...0.97)
    let base = style.anyArms(
      style.standing(stance: 0.05...0.12), amplitude: style.uniform(0.1...0.6))
    let over = base.changed { posture in
      posture.pelvis.x = sway
      posture.roll = -style.uniform(0...0.2)
      posture.twist = style.uniform(-0.3...0.3)
      posture.right.ankle.y += style.stature(0...0.05)
    }
    let low = base.changed { posture in
      posture.pelvis.y = style.hips(bounce)
      posture.pitch = style.uniform(0...0.2)
    }
    return Choreography([(over, 1), (low, 0.8)], alternates: true)
  }
}
