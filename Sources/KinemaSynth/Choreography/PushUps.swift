import Foundation

/// Straight from head to heel on hands and toes; the chest goes down to the floor and up again.
struct PushUps: Choreography {
  let rest: Posture
  private let person: SyntheticPerson
  private let hand: Vector
  private let ankle: Vector
  private let shoulderHeight: Float
  private let lowShare: Float
  private let pike: Float
  private let hold: Double
  private let pause: Double

  init(_ person: SyntheticPerson, using generator: inout SeededGenerator) {
    self.person = person
    let size = person.stature
    hand = Vector(person.shoulderWidth * generator.uniform(0.55...0.75), 0.055, 0.28 * size)
    let aside = hand.x - person.shoulderWidth / 2
    let arm = person.arm * 0.985
    shoulderHeight = hand.y + (arm * arm - aside * aside).squareRoot()
    pike = generator.uniform(-0.01...0.03) * size
    let (low, high) = (Float(0.085) * size, shoulderHeight)
    let body = person.leg * 0.995 + person.trunk
    let reach = (body * body - (high - low) * (high - low)).squareRoot()
    ankle = Vector(generator.uniform(0.03...0.07) * size, low, hand.z - reach)
    lowShare = generator.uniform(0.28...0.5)
    hold = Double(generator.uniform(0.01...0.08))
    pause = Double(generator.uniform(0.01...0.1))
    rest = .plank(person, hand: hand, ankle: ankle, shoulderHeight: shoulderHeight, pike: pike)
  }

  func repetition(_ index: Int, depth: Float) -> [KeyPose] {
    // The body turns about the feet: enough key poses that the straight way between them is as good
    // as the arc.
    let down = 0.46 - hold / 2
    let falling = [0.33, 0.67, 1].map { KeyPose(down * $0, lowered(by: Float($0) * depth)) }
    let up = 0.46 + hold / 2
    let rising = [0, 0.33, 0.67].map {
      KeyPose(up + (1 - pause - up) * $0, lowered(by: Float(1 - $0) * depth))
    }
    return falling + rising + [KeyPose(1 - pause, rest), KeyPose(1, rest)]
  }

  private func lowered(by share: Float) -> Posture {
    let height = shoulderHeight * (1 - (1 - lowShare) * share)
    return .plank(
      person, hand: hand, ankle: ankle, shoulderHeight: height, pike: pike * (1 - share * 0.5))
  }
}
