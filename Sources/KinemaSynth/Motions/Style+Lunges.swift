extension Style {
  /// Standing with the feet as wide as the hips and the arms held in some way.
  mutating func lungeRest() -> Posture {
    let posture = standing(stance: 0.03...0.05)
    return posture.arms(armHold())
  }

  /// Down in a lunge, the left leg in front.
  ///
  /// - Parameters:
  ///   - rest: Upright.
  ///   - front: How far ahead the left ankle is, in metres.
  ///   - rear: How far ahead the right ankle is, in metres.
  mutating func lunge(_ rest: Posture, front: Float, rear: Float) -> Posture {
    var posture = rest
    posture.left.ankle.z = front
    // The heel is up and turns about the ball of the foot.
    posture.right.ankle.z = rear + 0.03 * person.stature
    posture.right.ankle.y += stature(0.03...0.06)
    posture.pelvis.y = hips(uniform(0.45...0.74))
    posture.pelvis.z = rear + (front - rear) * uniform(0.35...0.6)
    posture.pitch = uniform(0...0.4)
    posture.nod = -posture.pitch * 0.4
    let handsMeet = rest.left.arm == .hanging && chance(0.4)
    return handsMeet ? posture.arms(raise: uniform(0.6...1.2), reach: 0.7) : posture
  }

  /// A step into a lunge and back, with one leg or with both in turn.
  mutating func steppingLunge(
    _ rest: Posture, low: Posture, foot: WritableKeyPath<Posture, Posture.Limbs>
  ) -> Choreography {
    var stepping = rest
    stepping[keyPath: foot].ankle.z = low[keyPath: foot].ankle.z * 0.5
    stepping[keyPath: foot].ankle.y += stature(0.02...0.14)
    stepping.pelvis.y = hips(0.96)
    stepping.pelvis.z = low.pelvis.z * 0.3
    stepping.pitch = low.pitch * 0.4
    let (hold, pause) = (uniform(0.02...0.4), uniform(0.02...0.5))
    return Choreography(
      [(rest, 0.5), (stepping, 0.6), (low, hold), (low, 0.6), (stepping, 0.5), (rest, pause)],
      alternates: chance(0.65))
  }
}
