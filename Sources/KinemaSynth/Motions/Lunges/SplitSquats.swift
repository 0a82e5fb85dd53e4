extension Motion {
  /// Up and down with one foot in front of the other, both in place.
  public static let splitSquats = Motion(
    "split_squats", .lunges, "one foot in front, up and down in place", cycle: 1.2...4, weight: 3,
    yaw: 50
  ) { style in
    let rest = style.lungeRest()
    let step = style.stature(0.28...0.52)
    let low = style.lunge(rest, front: step / 2, rear: -step / 2)
    let high = low.changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.86...0.95))
      posture.pitch *= 0.3
    }
    let (hold, pause) = (style.uniform(0.02...0.4), style.uniform(0.02...0.5))
    let keys = [(high, Float(1)), (low, hold), (low, 1), (high, pause)]
    return Choreography(
      style.chance(0.5) ? keys : keys.map { ($0.0.mirrored, $0.1) })
  }
}
