extension Motion {
  /// Feet apart and arms up in one jump, back in another.
  package static let jumpingJacks = Motion(
    "jumping_jacks", of: .jumpingJacks, "feet apart and arms up in one jump, back in another",
    cycle: 0.6...1.7, weight: 8, yaw: 10
  ) { style in
    let onlyToShoulders = style.chance(0.2)
    let openRaise = style.uniform(onlyToShoulders ? 1.3...1.8 : 2.4...3.1)
    let openStance = style.stature(0.12...0.28)
    let hop = style.stature(0.01...0.05)
    let give = style.stature(0...0.03)
    let reach = style.uniform(0.85...1)
    var closed = style.standing(stance: 0.02...0.07).arms(
      raise: style.uniform(0.05...0.45), forward: style.uniform(-0.1...0.45), reach: reach)
    closed.pelvis.y -= give
    return Choreography(
      style.opening(closed, stance: openStance, raise: openRaise, hop: hop, give: give))
  }

  static let jackVariants: [Motion] = [
    jumpingJacks,
    Motion(
      "seal_jacks", of: .jumpingJacks, "jumping jacks with arms that clap in front",
      cycle: 0.7...1.7, weight: 0, yaw: 10
    ) { style in
      let raise = style.uniform(1.4...1.7)
      let closed = style.standing(stance: 0.02...0.07).arms(
        raise: raise, forward: style.uniform(1.5...1.75), reach: 0.95)
      let open = style.opening(
        closed, stance: style.stature(0.12...0.26), raise: raise, hop: style.stature(0.01...0.05),
        give: style.stature(0...0.03))
      let aside = style.uniform(-0.1...0.2)
      return Choreography(
        open.enumerated().map { index, key in
          (key.0.arms(forward: index == 0 ? nil : index == 2 || index == 3 ? aside : 0.8), key.1)
        })
    },
    Motion(
      "star_jumps", of: .jumpingJacks, "out of a crouch into the air, arms and legs spread",
      cycle: 1...2.4, weight: 0, yaw: 10
    ) { style in
      var crouched = style.standing(stance: 0.04...0.08).arms(.atChest)
      crouched.pelvis.y = style.hips(0.5...0.75)
      crouched.pelvis.z = -style.stature(0.05...0.1)
      crouched.pitch = style.uniform(0.4...0.8)
      let jump = style.stature(0.06...0.16)
      let spread = style.stature(0.15...0.26)
      var star = style.standing().arms(raise: style.uniform(2...2.7), forward: 0.1, reach: 0.98)
      star.pelvis.y += jump
      star.left.ankle = Vector(spread, style.person.ankleHeight + jump * 1.2, 0)
      star.right.ankle = star.left.ankle.mirrored
      return Choreography([(crouched, 1), (star, 1), (crouched, style.uniform(0.05...0.6))])
    },
    Motion(
      "step_jacks", of: .jumpingJacks, "one foot steps aside as the arms go up, then the other",
      cycle: 0.7...1.6, yaw: 10
    ) { style in
      let raise = style.uniform(2.2...3.1)
      let step = style.stature(0.15...0.27)
      let closed = style.standing(stance: 0.03...0.06)
      var open = closed.arms(raise: raise)
      open.left.ankle.x = step
      open.pelvis.x = step * 0.35
      open.pelvis.y = style.hips(0.93...0.97)
      let pause = style.uniform(0.05...0.4)
      return Choreography(
        [(closed, 1), (open, pause), (open, 1), (closed, pause)], alternates: true)
    },
  ]
}

extension Style {
  /// From feet together to feet apart and back, with a flight on both ways.
  ///
  /// - Parameters:
  ///   - closed: Feet together.
  ///   - stance: From the middle to each ankle with the feet apart, in metres.
  ///   - raise: How far the arms are lifted then.
  ///   - hop: How high the feet get, in metres.
  ///   - give: How far the knees give at each landing, in metres.
  mutating func opening(
    _ closed: Posture, stance: Float, raise: Float, hop: Float, give: Float
  ) -> [(Posture, Float)] {
    func opened(_ share: Float) -> Posture {
      var posture = closed.arms(raise: blend(closed.left.armRaise, raise, share))
      let aside = blend(closed.left.ankle.x, stance, share)
      posture.left.ankle.x = aside
      posture.right.ankle.x = -aside
      let level = aside - person.hipWidth / 2
      let leg = person.leg * 0.99
      posture.pelvis.y = (leg * leg - level * level).squareRoot() + person.ankleHeight - give
      return posture
    }
    let flight = opened(0.5).moved(by: Vector(0, hop + give * 0.5, 0))
    let open = opened(1)
    return [
      (closed, 1), (flight, 1), (open, uniform(0.1...0.4)), (open, 1), (flight, 1),
      (closed, uniform(0.1...0.4)),
    ]
  }
}
