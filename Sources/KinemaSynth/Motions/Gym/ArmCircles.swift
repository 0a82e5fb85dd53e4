import Foundation

extension Motion {
  /// Straight arms draw circles.
  static let armCircles = Motion(
    "arm_circles", .other, "straight arms draw circles, small or large", cycle: 0.6...2.5,
    weight: 0.8
  ) { style in
    let base = style.standing()
    let isLarge = style.chance(0.5)
    let centre = isLarge ? 1.55 : style.uniform(1.3...1.7)
    let radius: Float = isLarge ? 1.3 : style.uniform(0.15...0.5)
    let turn = style.side()
    let keys: [(Posture, Float)] = (0..<6).map { index in
      let angle = turn * Float(index) * .pi / 3
      let posture = base.arms(
        raise: centre - radius * cos(angle), forward: 0.3 + radius * 0.8 * sin(angle), reach: 0.97)
      return (posture, 1)
    }
    return Choreography(keys)
  }
}
