import Foundation
import KinemaTracking

/// The output of the hand landmark network for a region.
package struct HandLandmarks: Sendable {
  /// The 21 points in the order of `JointKey.hand`, in pixels.
  package var points: [SIMD2<Float>]
  package var presence: Float
  /// The probability that it is a right hand, in a frame that is not mirrored.
  package var rightness: Float

  package init(points: [SIMD2<Float>], presence: Float, rightness: Float) {
    precondition(points.count == 21, "A hand has 21 points.")
    self.points = points
    self.presence = presence
    self.rightness = rightness
  }

  /// The points that give the next region: no tips, and no joints below them but the thumb's.
  private static let regionPoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

  /// The region in the next frame: a box around the stable points, fingers up, shifted towards them
  /// and enlarged (MediaPipe's `hand_landmark_landmarks_to_roi` graph).
  package var region: Region {
    let knuckles: SIMD2<Float> = points[5] / 4 + points[9] / 2 + points[13] / 4
    let angle = Region.angle(bringingUp: points[0], to: knuckles)
    let steady = Self.regionPoints.map { points[$0] }
    let upright = Self.box(around: steady)
    let middle = (upright.low + upright.high) / 2
    let (cosine, sine) = (cos(angle), sin(angle))
    let turned = Self.box(
      around: steady.map { point in
        let offset = point - middle
        return SIMD2(cosine * offset.x + sine * offset.y, cosine * offset.y - sine * offset.x)
      })
    let center = (turned.low + turned.high) / 2
    return Region(
      boxCenter: middle
        + SIMD2(cosine * center.x - sine * center.y, sine * center.x + cosine * center.y),
      boxSize: turned.high - turned.low, angle: angle, shift: 0.1, scale: 2)
  }

  package var size: Float {
    let box = Self.box(around: points)
    return (box.high - box.low).max()
  }

  package func isSameHand(as other: HandLandmarks) -> Bool {
    let distances = zip(points, other.points).reduce(0) { $0 + ($1.0 - $1.1).length }
    let distance = distances / Float(points.count) / max(1, size)
    let isOfOneSide = (rightness >= 0.5) == (other.rightness >= 0.5)
    let likeness = TrackingRules.hands.likeness
    return distance < (isOfOneSide ? likeness.pointsOfOneSide : likeness.points)
  }

  private static func box(
    around points: [SIMD2<Float>]
  ) -> (low: SIMD2<Float>, high: SIMD2<Float>) {
    points.dropFirst().reduce((points[0], points[0])) { box, point in
      (pointwiseMin(box.0, point), pointwiseMax(box.1, point))
    }
  }
}
