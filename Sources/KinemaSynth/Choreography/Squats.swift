import Foundation

/// The hips go down and back, the trunk leans forward, the feet stay where they are.
struct Squats: Choreography {
  let rest: Posture
  private let person: SyntheticPerson
  private let hipHeight: Float
  private let arms: Arms
  private let hold: Double
  private let pause: Double

  private enum Arms: CaseIterable { case forward, clasped, behindHead, onHips }

  init(_ person: SyntheticPerson, using generator: inout SeededGenerator) {
    self.person = person
    hipHeight = generator.uniform(0.42...0.6)
    arms = generator.chance(0.5) ? .forward : generator.pick(Arms.allCases)
    hold = Double(generator.uniform(0.02...0.12))
    pause = Double(generator.uniform(0.02...0.12))
    var upright = Posture.standing(
      person, stance: generator.uniform(0.08...0.13) * person.stature)
    upright.pelvis.y = person.leg * 0.98 + person.ankleHeight
    let arms = arms
    upright.forBothSides { limbs, _ in
      switch arms {
      case .forward: limbs.armForward = 1.2
      case .clasped: (limbs.armRaise, limbs.armForward, limbs.armReach) = (0.75, 1.85, 0.5)
      case .behindHead: (limbs.armRaise, limbs.armForward, limbs.armReach) = (2.5, -0.2, 0.42)
      case .onHips: (limbs.armRaise, limbs.armForward, limbs.armReach) = (0.32, 0, 0.76)
      }
    }
    rest = upright
  }

  func repetition(_ index: Int, depth: Float) -> [KeyPose] {
    let low = lowered(by: (1 - hipHeight) * depth)
    let down = 0.48 - hold / 2 - pause / 2
    return [
      KeyPose(down, low), KeyPose(down + hold, low), KeyPose(1 - pause, rest), KeyPose(1, rest),
    ]
  }

  private func lowered(by share: Float) -> Posture {
    var posture = rest
    let back = 0.26 * share * person.stature
    posture.pelvis.y = person.leg * (0.98 - share) + person.ankleHeight
    posture.pelvis.z = -back
    // The shoulders stay above the feet.
    posture.pitch = asin(min(0.9, (back + 0.03 * person.stature) / person.trunk))
    posture.nod = -posture.pitch * 0.5
    let arms = arms
    posture.forBothSides { limbs, _ in
      if arms == .forward { (limbs.armRaise, limbs.armForward) = (1.45, 1.5) }
      if arms == .clasped { limbs.armRaise = 0.95 }
    }
    return posture
  }
}
