extension Motion {
  /// Jumps on the spot, forwards or from side to side.
  static let hops = Motion(
    "hops", .other, "jumps on the spot or from side to side", cycle: 0.5...1.4, weight: 0.8
  ) { style in
    let aside = style.stature(0...0.14)
    let hop = style.stature(0.03...0.12)
    let rest = style.standing(stance: 0.02...0.06).arms(style.armHold())
    let low = rest.changed { posture in
      posture.pelvis.y = style.hips(style.uniform(0.8...0.95))
      posture.pitch = style.uniform(0...0.4)
    }.moved(by: Vector(aside, 0, 0))
    let high = rest.moved(by: Vector(0, hop, 0))
    return Choreography([(low, 1), (high, 1)], alternates: true)
  }
}
