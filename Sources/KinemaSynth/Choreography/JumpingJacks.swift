/// Feet apart and arms up in one jump, back in another.
struct JumpingJacks: Choreography {
  let rest: Posture
  private let person: SyntheticPerson
  private let openRaise: Float
  private let openStance: Float
  private let hop: Float
  private let give: Float

  init(_ person: SyntheticPerson, using generator: inout SeededGenerator) {
    self.person = person
    let size = person.stature
    openRaise = generator.chance(0.15) ? generator.uniform(1.4...1.8) : generator.uniform(2.5...3)
    openStance = generator.uniform(0.2...0.3) * size
    hop = generator.uniform(0.025...0.06) * size
    give = generator.uniform(0.02...0.05) * size
    var closed = Posture.standing(person, stance: generator.uniform(0.03...0.06) * size)
    let (raise, forward) = (generator.uniform(0.1...0.3), generator.uniform(-0.05...0.35))
    let reach = generator.uniform(0.95...0.99)
    closed.forBothSides { limbs, _ in
      limbs.armRaise = raise
      limbs.armForward = forward
      limbs.armReach = reach
    }
    // The knees give at each landing.
    closed.pelvis.y -= give * 0.6
    rest = closed
  }

  func repetition(_ index: Int, depth: Float) -> [KeyPose] {
    let open = opened(1, depth: depth)
    let flight = inTheAir(depth: depth)
    return [
      KeyPose(0.06, rest), KeyPose(0.26, flight),
      KeyPose(0.46, open), KeyPose(0.54, open),
      KeyPose(0.74, flight), KeyPose(0.94, rest), KeyPose(1, rest),
    ]
  }

  private func opened(_ share: Float, depth: Float) -> Posture {
    var posture = rest
    let stance = blend(rest.left.ankle.x, openStance * depth, share)
    let raise = blend(rest.left.armRaise, min(openRaise * depth, 3.05), share)
    posture.forBothSides { limbs, mirror in
      limbs.ankle = mirror(Vector(stance, person.ankleHeight, 0))
      limbs.armRaise = raise
    }
    let level = stance - person.hipWidth / 2
    let leg = person.leg * 0.99
    let straight = (leg * leg - level * level).squareRoot() + person.ankleHeight
    posture.pelvis.y = straight - give * blend(0.6, 1, share)
    return posture
  }

  private func inTheAir(depth: Float) -> Posture {
    var posture = opened(0.5, depth: depth)
    posture.pelvis.y += (hop + give) * depth
    posture.forBothSides { limbs, _ in limbs.ankle.y += hop * depth }
    return posture
  }
}
