import Foundation

/// What somebody does, posture by posture, and whether they fall.
struct FallScript {
  typealias Moment = (time: Double, posture: Posture)

  /// Times are in seconds, from 0.
  var moments: [Moment]
  /// When the person is on the floor after a fall.
  var impact: Double?
  /// How fast the person arrives, in metres a second.
  var speed: Float = 0

  init(_ start: Posture) { moments = [(0, start)] }

  var end: Double { moments.last?.time ?? 0 }
  var last: Posture { moments.last?.posture ?? moments[0].posture }

  /// The next posture, some seconds later.
  mutating func add(_ posture: Posture, after seconds: Float) {
    moments.append((end + Double(max(seconds, 0.05)), posture))
  }
}

/// Ways to lose balance.
private enum FallDirection {
  case forward, backward, left, right
}

extension Style {
  /// People mostly fall the way that they go.
  private static let directions: [FallDirection] = [.forward, .forward, .backward, .left, .right]

  /// A fall to the floor, up to lying there or whatever is left of it.
  mutating func fall(in script: inout FallScript, from rest: Posture, isSeated: Bool) {
    let start = script.end
    if isSeated {
      fallOffChair(in: &script)
    } else {
      let way = uniform(0...1)
      if way < 0.45 {
        topple(pick(Self.directions), in: &script, from: rest)
      } else if way < 0.68 {
        sinkToKnees(in: &script)
      } else if way < 0.84 {
        slip(in: &script, from: rest)
      } else {
        stumble(in: &script)
      }
    }
    slide(in: &script, from: start, share: uniform(0.6...1.7), aside: uniform(-0.7...0.7))
  }

  /// A stiff body turns about its feet like an inverted pendulum, ever faster; a weak one sinks at the
  /// knees first.
  private mutating func topple(
    _ direction: FallDirection, in script: inout FallScript, from rest: Posture
  ) {
    let duration = uniform(0.6...1.5)
    let isWeak = chance(0.35)
    let arms = reachingArms()
    let ground = ground(of: direction)
    // The angle of an inverted pendulum grows exponentially.
    let leans: [(share: Float, angle: Float)] = [(0.35, 0.18), (0.3, 0.55), (0.2, 1.05)]
    var past: Float = 0
    for (share, angle) in leans {
      past += share
      var posture = leaning(direction, by: isWeak ? angle * 0.7 : angle, from: rest).arms(arms)
      if isWeak { posture.pelvis.y *= 1 - 0.55 * past }
      script.add(posture, after: duration * share)
    }
    script.add(ground, after: duration * 0.15)
    script.impact = script.end
  }

  /// The knees give way; after a pause, or without one, the rest follows, forward or to a side.
  private mutating func sinkToKnees(in script: inout FallScript) {
    let feet = person.shank * 0.97
    let kneel = kneeling().moved(by: Vector(0, 0, feet)).changed { posture in
      posture.pitch = uniform(0.1...0.9)
      posture.nod = uniform(0...0.5)
      posture.pelvis.y *= uniform(0.6...1)
    }.arms(reachingArms())
    script.add(kneel, after: uniform(0.35...1.1))
    if chance(0.5) {
      // Held up by thighs and arms for a moment, the shoulders come up again.
      script.add(kneel.changed { $0.pitch -= uniform(0...0.35) }, after: uniform(0.1...1.1))
    }
    forwardOrAside(from: person.leg, in: &script, within: 0.35...1)
  }

  /// The feet slide away, the person sits down hard and falls on the back, often with the legs up.
  private mutating func slip(in script: inout FallScript, from rest: Posture) {
    let seat = -person.leg * uniform(0.1...0.6)
    let seated = supine(bend: 0.5...0.9).moved(by: Vector(0, 0, seat)).changed { posture in
      posture.pitch = uniform(-0.7...0.3)
      posture.setAnkles { $0.y += person.leg * uniform(0...0.35) }
    }.arms(reachingArms())
    script.add(
      leaning(.backward, by: uniform(0.2...0.5), from: rest).arms(reachingArms()),
      after: uniform(0.15...0.35))
    script.add(seated, after: uniform(0.2...0.5))
    script.impact = script.end
    let ground = supine(bend: 0.5...0.97).moved(by: Vector(0, 0, seat))
    let legsUp = chance(0.5) ? person.leg * uniform(0.1...0.8) : 0
    script.add(
      ground.changed { posture in
        posture.setAnkles { ankle in
          ankle.y += legsUp
          ankle.z -= legsUp * 0.5
        }
      }, after: uniform(0.2...0.7))
    if legsUp > 0 { script.add(ground, after: uniform(0.3...0.9)) }
  }

  /// Some quick steps forward, onto the hands, and down.
  private mutating func stumble(in script: inout FallScript) {
    let way = stature(0.1...0.6)
    let bent = script.last.changed { posture in
      posture.pelvis += Vector(0, -person.leg * uniform(0.1...0.3), way * 0.6)
      posture.pitch = uniform(0.5...1.1)
      posture.left.ankle.z += way
      posture.right.ankle.z += way * 0.3
    }.arms(reachingArms())
    script.add(bent, after: uniform(0.25...0.6))
    forwardOrAside(from: way + person.leg * 0.4, in: &script, within: 0.25...0.8)
  }

  /// From sitting, forward or to a side.
  private mutating func fallOffChair(in script: inout FallScript) {
    let seat = script.last
    let side: Float = chance(0.35) ? side() : 0
    let tipping = seat.changed { posture in
      posture.pelvis += Vector(side * stature(0.05...0.2), -stature(0...0.06), stature(0.05...0.2))
      posture.pitch = side == 0 ? uniform(0.5...1.1) : uniform(-0.2...0.4)
      posture.roll = side * uniform(0.3...0.8)
    }.arms(reachingArms())
    script.add(tipping, after: uniform(0.25...0.7))
    if side == 0 {
      forwardOrAside(from: seat.left.ankle.z + person.thigh * 0.5, in: &script, within: 0.25...0.9)
    } else {
      let ground = onSide()
      script.add(side > 0 ? ground : ground.mirrored, after: uniform(0.25...0.7))
      script.impact = script.end
    }
  }

  /// Onto hands and knees and flat, or to a side; `pelvis` is where it goes, along z.
  private mutating func forwardOrAside(
    from pelvis: Float, in script: inout FallScript, within seconds: ClosedRange<Float>
  ) {
    let duration = uniform(seconds)
    let isForward = chance(0.6)
    if isForward, chance(0.6) {
      let hands = onAllFours().moved(by: Vector(0, 0, pelvis - person.thigh))
      script.add(hands, after: duration * 0.6)
      // Arms that give way, or hold for a while: the shoulders rise before the rest follows.
      if chance(0.3) {
        script.impact = script.end
        script.add(hands.changed { $0.pelvis.y += stature(0...0.03) }, after: uniform(0.1...0.6))
      }
    }
    var ground = isForward ? prone() : chance(0.5) ? onSide() : onSide().mirrored
    if isForward { ground = ground.moved(by: Vector(0, 0, pelvis)) }
    script.add(ground, after: duration * (isForward ? 0.4 : 1))
    script.impact = script.impact ?? script.end
  }

  /// Goes on the way that the person came, ever slower; `start` is when they lost balance, in seconds.
  func slide(in script: inout FallScript, from start: Double, share: Float, aside: Float) {
    for index in script.moments.indices where script.moments[index].time > start {
      let gone = 0.7 * (1 - exp(-Float(script.moments[index].time - start) / 0.7))
      let way = script.speed * share * gone
      script.moments[index].posture = script.moments[index].posture.moved(
        by: Vector(way * aside, 0, way))
    }
  }

  // MARK: - Afterwards

  /// What follows a fall: lying still, sliding, rolling, lying curled or propped up, or getting up.
  mutating func afterFall(in script: inout FallScript, seconds: Double) {
    let end = script.end + seconds
    if chance(0.3) {
      let way = Vector(stature(-0.15...0.15), 0, stature(-0.2...0.2))
      script.add(script.last.moved(by: way), after: uniform(0.2...0.7))
    }
    let course = uniform(0...1)
    let place = Vector(script.last.pelvis.x, 0, script.last.pelvis.z)
    if course < 0.15 {
      // Rolls over.
      let other = script.last.pitch < -0.5 ? onSide() : supine(bend: 0.5...0.95)
      script.add(
        other.moved(by: place - Vector(other.pelvis.x, 0, 0)), after: uniform(0.6...2))
    } else if course < 0.27 {
      // Half up, leaning on an arm, a wall or furniture.
      let propped = supine(bend: 0.4...0.9).moved(by: place).changed { posture in
        posture.pitch = -uniform(0.3...1.1)
      }
      script.add(propped, after: uniform(0.5...2.5))
    } else if course < 0.38 {
      let hands = onAllFours().moved(by: place).changed { $0.pitch += uniform(0...0.4) }
      script.add(hands, after: uniform(0.6...2))
    }
    lieStill(in: &script, until: chance(0.2) ? script.end + Double(uniform(1.5...3.5)) : end)
    if script.end < end {
      script.add(onAllFours().moved(by: place), after: uniform(0.6...1.6))
      script.add(standing().moved(by: place), after: uniform(0.8...2))
      script.add(standing().moved(by: place), after: Float(max(0, end - script.end)))
    }
  }

  /// Lying still where a fall ended, with small movements now and then.
  mutating func lieStill(in script: inout FallScript, until end: Double) {
    let unrest = chance(0.5) ? uniform(0...1) : 0
    let ground = script.last
    while script.end + 1 <= end {
      let moved = ground.changed { posture in
        posture.nod += unrest * uniform(-0.15...0.15)
        posture.turn += unrest * uniform(-0.3...0.3)
        posture.left.armRaise += unrest * uniform(-0.25...0.25)
        posture.right.armReach *= 1 - unrest * uniform(0...0.2)
      }
      script.add(moved, after: 1)
    }
  }

  // MARK: - Postures

  private mutating func reachingArms() -> ArmHold {
    ArmHold(raise: uniform(0.4...1.9), forward: uniform(0.2...1.6), reach: uniform(0.5...0.95))
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

  /// Lying on the left side, straight or curled.
  mutating func onSide() -> Posture {
    let reach = person.leg * uniform(0.4...0.97)
    return standing(stance: 0.02...0.04).changed { posture in
      posture.roll = uniform(1.25...1.45)
      posture.pitch = uniform(-0.1...0.4)
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
