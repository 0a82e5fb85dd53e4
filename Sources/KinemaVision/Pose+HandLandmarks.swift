import Foundation
import KinemaPose

extension Pose {
  /// The pose of a hand: the 21 joints of ``JointKey/hand``.
  ///
  /// The network has a confidence for the hand, not for joints. On 859 hands, joints of a slightly
  /// shifted region differ by 1 % of the hand's size at a presence above 0.99, 3 % around 0.9, 6–9
  /// % around 0.6, and three times as much outside the frame; the confidence is 0.4 at a presence
  /// of 0.5, 0.6 at 0.85, 0.88 at 0.99.
  init(_ hand: HandLandmarks, width: Int, height: Int, chirality: Chirality, id: Int?) {
    let size = SIMD2(Float(width), Float(height))
    let confidence = Self.jointConfidence(presence: hand.presence)
    var joints: [JointKey: JointPoint] = [:]
    for (key, point) in zip(JointKey.hand, hand.points) {
      let share = point / size
      let isInside = (0...1).contains(share.x) && (0...1).contains(share.y)
      joints[key] = JointPoint(
        key, position: SIMD2(share.x, 1 - share.y),
        confidence: isInside ? confidence : confidence * 0.3)
    }
    self.init(from: joints, confidence: hand.presence, personID: id, chirality: chirality)
  }

  static func jointConfidence(presence: Float) -> Float {
    exp(-1.3 * max(0, 1 - presence).squareRoot())
  }
}
