extension Motion {
  /// A long step to the side, the knee bent over it, the other leg straight.
  public static let sideLunges = Motion(
    "side_lunges", .lunges, "a long step aside, down on it, and back", cycle: 1.3...4, weight: 0.4
  ) { style in
    let rest = style.lungeRest()
    let step = style.stature(0.28...0.45)
    let low = rest.changed { posture in
      posture.left.ankle.x = step
      posture.pelvis.x = step * style.uniform(0.6...0.85)
      posture.pelvis.y = style.hips(style.uniform(0.5...0.75))
      posture.pelvis.z = -style.stature(0.04...0.12)
      posture.pitch = style.uniform(0.3...0.8)
    }
    let lifted = rest.changed { posture in
      posture.left.ankle.x = step * 0.5
      posture.left.ankle.y += style.stature(0.02...0.06)
    }
    return Choreography(
      [(rest, 0.6), (lifted, 0.6), (low, style.uniform(0.02...0.4)), (low, 0.6), (lifted, 0.6)],
      alternates: style.chance(0.6))
  }
}
