import Foundation

extension Style {
  /// On both feet between two steps on the spot.
  ///
  /// - Parameter bend: How far the arms are stretched; 1 is straight.
  mutating func striding(bend: Float) -> Posture {
    let posture = standing(stance: 0.02...0.06)
    return posture.arms(raise: 0.12, forward: 0.8, reach: bend)
  }

  /// Straight from the ankles to the shoulders, over planted forearms.
  mutating func forearmPlank() -> Posture {
    let shoulderHeight = person.upperArm * 0.98 + 0.06
    let low = 0.085 * person.stature
    let body = person.leg * 0.995 + person.trunk
    let rise = shoulderHeight - low
    let ankle = Vector(stature(0.03...0.07), low, -(body * body - rise * rise).squareRoot())
    let hand = Vector(
      person.shoulderWidth * uniform(0.3...0.6), 0.055, person.forearm * uniform(0.8...0.95))
    return .plank(
      person, hand: hand, ankle: ankle, shoulderHeight: shoulderHeight,
      pike: stature(-0.01...0.08))
  }
}
