import Foundation

extension Motion {
  /// The head goes round.
  static let neckRolls = Motion(
    "neck_rolls", .other, "the head nods, turns and goes round", cycle: 1.5...5, weight: 0.5
  ) { style in
    let base = style.chance(0.4) ? style.sitting() : style.standing().arms(style.armHold())
    let size = style.uniform(0.3...0.7)
    let keys: [(Posture, Float)] = (0..<4).map { index in
      let angle = Float(index) * .pi / 2
      let posture = base.changed { posture in
        posture.nod = size * cos(angle)
        posture.turn = size * sin(angle)
      }
      return (posture, 1)
    }
    return Choreography(keys)
  }
}
