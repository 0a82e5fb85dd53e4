import Foundation

/// Ways to lose balance.
package enum FallDirection: CaseIterable, Sendable {
  case forward, backward, left, right
}

extension Style {
  /// A fall to the floor: the moments of it, in seconds from the loss of balance, up to lying there.
  ///
  /// A stiff body turns about its feet like an inverted pendulum, ever faster; a weak one sinks at the
  /// knees first.
  mutating func fall(
    _ direction: FallDirection, from rest: Posture
  ) -> [(time: Double, posture: Posture)] {
    let duration = Double(uniform(0.5...1.1))
    let isWeak = chance(0.35)
    let ground = ground(of: direction)
    let arms = ArmHold(
      raise: uniform(0.5...1.8), forward: uniform(0.2...1.6), reach: uniform(0.5...0.95))
    var moments = [(time: 0.0, posture: rest)]
    // The angle of an inverted pendulum grows exponentially.
    let leans: [(share: Double, angle: Float)] = [(0.35, 0.18), (0.65, 0.55), (0.85, 1.05)]
    for (share, angle) in leans {
      var posture = leaning(direction, by: isWeak ? angle * 0.7 : angle, from: rest).arms(arms)
      if isWeak { posture.pelvis.y *= 1 - 0.55 * Float(share) }
      moments.append((duration * share, posture))
    }
    moments.append((duration, ground))
    return moments
  }

  /// Lying still where a fall ended, with small movements now and then.
  mutating func lyingStill(
    _ ground: Posture, from start: Double, seconds: Double
  ) -> [(time: Double, posture: Posture)] {
    let unrest = chance(0.5) ? uniform(0...1) : 0
    return stride(from: start + 1, through: start + seconds, by: 1).map { time in
      let moved = ground.changed { posture in
        posture.nod += unrest * uniform(-0.15...0.15)
        posture.turn += unrest * uniform(-0.3...0.3)
        posture.left.armRaise += unrest * uniform(-0.25...0.25)
        posture.right.armReach *= 1 - unrest * uniform(0...0.2)
      }
      return (time, moved)
    }
  }

  /// Down to lie on the floor as one does on purpose: crouching, sitting or kneeling, lying.
  mutating func lyingDown(
    from rest: Posture, start: Double
  ) -> [(time: Double, posture: Posture)] {
    let duration = Double(uniform(2.5...7))
    let crouched = rest.changed { posture in
      posture.pelvis.y = hips(0.4)
      posture.pelvis.z = -stature(0.05...0.12)
      posture.pitch = uniform(0.4...1)
    }
    let onFront = chance(0.3)
    let between = onFront ? onAllFours() : supine(bend: 0.5...0.9).changed { $0.pitch = 0 }
    let ground = onFront ? prone() : supine(bend: 0.5...0.97)
    let shares = [0.3...0.4, 0.55...0.7].map { Double(uniform($0)) }
    return [
      (start + duration * shares[0], crouched), (start + duration * shares[1], between),
      (start + duration, ground),
    ]
  }

  /// Lying where a fall to a side ends, with the feet where they stood.
  private mutating func ground(of direction: FallDirection) -> Posture {
    switch direction {
    case .forward:
      let posture = prone()
      return posture.moved(by: Vector(0, 0, -posture.left.ankle.z))
    case .backward:
      let posture = supine(bend: 0.6...0.97)
      return posture.moved(by: Vector(0, 0, -posture.left.ankle.z))
    case .left: return onSide()
    case .right: return onSide().mirrored
    }
  }

  private mutating func onSide() -> Posture {
    let reach = person.leg * uniform(0.6...0.97)
    return standing(stance: 0.02...0.04).changed { posture in
      posture.roll = uniform(1.25...1.45)
      posture.pelvis = Vector(reach, 0.11, 0)
      posture.left.ankle = Vector(0, 0.06, 0.1)
      posture.right.ankle = Vector(0, 0.14, 0)
      posture.nod = uniform(-0.2...0.4)
    }.arms(raise: uniform(0.6...1.6), forward: uniform(0.6...1.5), reach: uniform(0.5...0.95))
  }

  private func leaning(
    _ direction: FallDirection, by angle: Float, from rest: Posture
  ) -> Posture {
    let (aside, up) = (person.leg * sin(angle), person.leg * cos(angle) + person.ankleHeight)
    return rest.changed { posture in
      switch direction {
      case .forward:
        posture.pelvis = Vector(0, up, aside)
        posture.pitch = angle
      case .backward:
        posture.pelvis = Vector(0, up, -aside)
        posture.pitch = -angle
      case .left, .right:
        let side: Float = direction == .left ? 1 : -1
        posture.pelvis = Vector(side * aside, up, 0)
        posture.roll = side * angle
      }
    }
  }
}
