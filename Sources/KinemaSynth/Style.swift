/// What a choreography is drawn with: the person's lengths, and chance.
package struct Style: Sendable {
  package let person: SyntheticPerson
  package var generator: SeededGenerator

  package init(person: SyntheticPerson, generator: SeededGenerator) {
    (self.person, self.generator) = (person, generator)
  }

  package mutating func uniform(_ range: ClosedRange<Float>) -> Float { generator.uniform(range) }

  /// A length within a range of shares of stature, in metres.
  package mutating func stature(_ range: ClosedRange<Float>) -> Float {
    generator.uniform(range) * person.stature
  }

  package mutating func chance(_ probability: Float) -> Bool { generator.chance(probability) }

  package mutating func pick<Element>(_ elements: [Element]) -> Element { generator.pick(elements) }

  /// 1 or −1.
  package mutating func side() -> Float { chance(0.5) ? 1 : -1 }

  /// How high the hips are over the floor, in metres, with the legs bent to a share of their
  /// length.
  package func hips(_ share: Float) -> Float { person.leg * share + person.ankleHeight }

  /// How high the hips are with the legs bent to a share of their length within a range.
  package mutating func hips(_ shares: ClosedRange<Float>) -> Float { hips(uniform(shares)) }

  // MARK: Postures to start from

  /// Standing upright with hanging arms; the stance is a share of stature, to each ankle.
  package mutating func standing(stance: ClosedRange<Float> = 0.03...0.11) -> Posture {
    var posture = Posture.standing(person, stance: stature(stance))
    posture.pelvis.y = hips(0.985)
    return posture.arms(raise: 0.15, forward: 0.3, reach: 0.95)
  }

  /// Sitting on something as high as a chair, hands in the lap.
  package mutating func sitting() -> Posture {
    var posture = standing(stance: 0.04...0.1)
    posture.pelvis.y = hips(uniform(0.48...0.56))
    posture.setAnkles { $0.z = person.thigh * uniform(0.7...1) }
    posture.pitch = uniform(-0.15...0.2)
    return posture.arms(raise: 0.7, forward: 1.5, reach: 0.8)
  }

  /// Lying on the back, arms beside the body, knees bent: hips to feet as a share of the legs.
  package mutating func supine(bend: ClosedRange<Float> = 0.4...0.75) -> Posture {
    var posture = standing(stance: 0.03...0.08)
    posture.pelvis = Vector(0, 0.055 * person.stature, 0)
    posture.pitch = -1.48
    posture.nod = uniform(0...0.2)
    let reach = person.leg * uniform(bend)
    posture.setAnkles { ankle in
      ankle.z = reach
      ankle.y = 0.045 * person.stature
    }
    return posture.arms(raise: 1.5, forward: uniform(0.2...1.5), reach: uniform(0.85...0.97))
  }

  /// Lying on the front with straight legs, arms ahead or beside the body.
  package mutating func prone() -> Posture {
    var posture = standing(stance: 0.03...0.08)
    posture.pelvis = Vector(0, 0.06 * person.stature, 0)
    posture.pitch = 1.52
    posture.nod = uniform(-0.5...0)
    posture.setAnkles { ankle in
      ankle.z = -person.leg * 0.985
      ankle.y = 0.04 * person.stature
    }
    return posture.arms(raise: 1.5, forward: uniform(0.9...1.6), reach: uniform(0.6...0.97))
  }

  package mutating func onAllFours() -> Posture {
    var posture = standing(stance: 0.05...0.09)
    let knee = 0.035 * person.stature
    posture.pelvis = Vector(0, knee + person.thigh * 0.985, 0)
    let shoulder = 0.055 + person.arm * 0.95
    let slope = max(-0.9, min(0.9, (shoulder - posture.pelvis.y) / person.trunk))
    posture.pitch = .pi / 2 - slope
    posture.nod = -0.3
    let ahead = person.trunk * (1 - slope * slope).squareRoot()
    let hand = Vector(person.shoulderWidth * uniform(0.5...0.7), 0.055, ahead)
    posture.setAnkles { ankle in
      ankle.y = 0.045 * person.stature
      ankle.z = -person.shank * 0.97
    }
    return posture.planted(hand)
  }

  package mutating func kneeling() -> Posture {
    var posture = standing(stance: 0.05...0.1)
    posture.pelvis = Vector(0, 0.035 * person.stature + person.thigh * 0.985, 0)
    posture.setAnkles { ankle in
      ankle.y = 0.045 * person.stature
      ankle.z = -person.shank * 0.97
    }
    return posture
  }

  /// A way of holding the arms that many people have while the legs work.
  package mutating func armHold() -> ArmHold { pick(ArmHold.all) }

  /// Arms somewhere, each by itself; at an amplitude of 1 up to above the head.
  package mutating func anyArms(_ posture: Posture, amplitude: Float = 1) -> Posture {
    var posture = posture
    for side in [\Posture.left, \Posture.right] {
      posture[keyPath: side].arm = ArmHold(
        raise: uniform(0.05...(0.15 + 2.6 * amplitude)), forward: uniform(-0.4...1.9),
        reach: uniform(0.4...1))
    }
    return posture
  }
}

/// A way of holding an arm; see ``Posture/Limbs`` for the numbers.
package struct ArmHold: Hashable, Sendable {
  package var raise: Float
  package var forward: Float
  package var reach: Float

  package init(raise: Float, forward: Float, reach: Float) {
    (self.raise, self.forward, self.reach) = (raise, forward, reach)
  }

  package static let hanging = ArmHold(raise: 0.15, forward: 0.4, reach: 0.95)
  package static let onHips = ArmHold(raise: 0.45, forward: -0.2, reach: 0.72)
  package static let atChest = ArmHold(raise: 0.75, forward: 1.9, reach: 0.45)
  package static let behindHead = ArmHold(raise: 2.5, forward: -0.2, reach: 0.38)
  package static let inFront = ArmHold(raise: 1.5, forward: 1.5, reach: 0.93)
  package static let withWeights = ArmHold(raise: 0.05, forward: 0, reach: 0.99)

  package static let all = [hanging, onHips, atChest, behindHead, inFront, withWeights]
}
