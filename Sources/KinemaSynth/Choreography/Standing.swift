/// Standing about: the weight goes from leg to leg, the head looks around.
struct Standing: Choreography {
  let rest: Posture
  private let person: SyntheticPerson
  private let lookAround: Float

  init(_ person: SyntheticPerson, using generator: inout SeededGenerator) {
    self.person = person
    lookAround = generator.uniform(0.05...0.35)
    var posture = Posture.standing(
      person, stance: generator.uniform(0.04...0.09) * person.stature)
    if generator.chance(0.3) {
      posture.forBothSides { limbs, _ in
        (limbs.armRaise, limbs.armForward, limbs.armReach) = (0.32, 0, 0.76)
      }
    }
    rest = posture
  }

  func repetition(_ index: Int, depth: Float) -> [KeyPose] {
    let side: Float = index % 2 == 0 ? 1 : -1
    var shifted = rest
    shifted.pelvis.x += side * 0.015 * person.stature
    shifted.roll = -side * 0.03
    shifted.turn = side * lookAround * depth
    return [KeyPose(0.35, shifted), KeyPose(0.65, shifted), KeyPose(1, rest)]
  }
}
