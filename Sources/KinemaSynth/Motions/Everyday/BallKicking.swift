extension Motion {
  /// A few kicks of a ball from foot to foot.
  static let ballKicking = Motion(
    "ball_kicking", .other, "a ball kept up or kicked with the feet", cycle: 0.5...1.5, weight: 0.5,
    yaw: 40, counted: false
  ) { style in
    let base = style.anyArms(style.standing(stance: 0.04...0.08), amplitude: 0.35)
    let kick = base.changed { posture in
      posture.left.ankle.y += style.stature(0.05...0.25)
      posture.left.ankle.z = style.stature(0.1...0.3)
      posture.pitch = style.uniform(-0.15...0.2)
    }
    let back = base.changed { posture in
      posture.left.ankle.y += style.stature(0.03...0.15)
      posture.left.ankle.z = -style.stature(0...0.15)
    }
    return Choreography([(base, 1), (back, 0.7), (kick, 0.8)], alternates: style.chance(0.6))
  }
}
