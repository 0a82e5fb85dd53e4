/// A long step forward or back until the rear knee is just above the floor, and back again.
struct Lunges: Choreography {
  let rest: Posture
  private let person: SyntheticPerson
  private let stepsForward: Bool
  private let alternates: Bool
  private let step: Float
  private let hipHeight: Float
  private let lean: Float
  private let hold: Double

  init(_ person: SyntheticPerson, using generator: inout SeededGenerator) {
    self.person = person
    stepsForward = generator.chance(0.6)
    alternates = generator.chance(0.75)
    step = generator.uniform(0.4...0.5) * person.stature
    hipHeight = generator.uniform(0.5...0.58)
    lean = generator.uniform(0...0.2)
    hold = Double(generator.uniform(0.02...0.12))
    var upright = Posture.standing(person, stance: person.hipWidth * 0.55)
    if generator.chance(0.5) {
      upright.forBothSides { limbs, _ in
        (limbs.armRaise, limbs.armForward, limbs.armReach) = (0.32, 0, 0.76)
      }
    }
    rest = upright
  }

  func repetition(_ index: Int, depth: Float) -> [KeyPose] {
    let low = lowered(depth: depth)
    let stepping = stepping(to: low)
    let keys = [
      KeyPose(0.22, stepping), KeyPose(0.48 - hold / 2, low), KeyPose(0.48 + hold / 2, low),
      KeyPose(0.74, stepping), KeyPose(0.96, rest), KeyPose(1, rest),
    ]
    guard alternates, index % 2 == 1 else { return keys }
    return keys.map { KeyPose($0.share, $0.posture.mirrored) }
  }

  /// The left leg in front, bent at a right angle; the rear heel is up.
  private func lowered(depth: Float) -> Posture {
    var posture = rest
    let step = step * depth
    let heel = 0.095 * person.stature
    let rear = stepsForward ? 0 : -step
    posture.left.ankle.z = rear + step
    // The heel turns about the ball of the foot, which stays where it is.
    posture.right.ankle.z = rear + 0.06 * person.stature
    posture.right.ankle.y = heel
    posture.pelvis.y = person.leg * (1 - (1 - hipHeight) * depth) + person.ankleHeight
    posture.pelvis.z = rear + step * 0.55
    posture.pitch = lean
    posture.nod = -lean * 0.4
    return posture
  }

  /// The foot that steps is in the air, half way.
  private func stepping(to low: Posture) -> Posture {
    var posture = rest
    let lift = 0.05 * person.stature
    if stepsForward {
      posture.left.ankle.z = low.left.ankle.z * 0.6
      posture.left.ankle.y += lift
    } else {
      posture.right.ankle.z = low.right.ankle.z * 0.6
      posture.right.ankle.y += lift
    }
    posture.pelvis.y = blend(rest.pelvis.y, low.pelvis.y, 0.25)
    posture.pelvis.z = low.pelvis.z * 0.3
    posture.pitch = low.pitch * 0.4
    return posture
  }
}
