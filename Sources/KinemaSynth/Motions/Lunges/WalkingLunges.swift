extension Motion {
  /// One lunge after the other, getting ahead.
  public static let walkingLunges = Motion(
    "walking_lunges", .lunges, "lunge after lunge, getting ahead or on the spot", cycle: 1...3,
    weight: 2, yaw: 60
  ) { style in
    let rest = style.lungeRest()
    let step = style.stature(0.28...0.52)
    let low = style.lunge(rest, front: step / 2, rear: -step / 2)
    let passing = rest.changed { posture in
      posture.right.ankle.y += style.stature(0.02...0.2)
      posture.right.ankle.z = -0.05 * style.person.stature
    }
    let advance = style.chance(0.6) ? step * style.uniform(0.6...1) : 0
    return Choreography([(low, 1), (passing, 1)], alternates: true, advance: advance)
  }
}
