import Glibc
import KinemaPose

/// The numbers that the lifter's network gives, and where they are.
///
/// Places are those of a camera: x to the right and y up in the picture, z towards the camera, from the
/// middle of the hips, in shares of the person's stature.
package enum LiftOutput {
  private static let placeCount = 3 * BodyJoint.count
  /// x, y, z of each joint.
  package static let places = 0..<placeCount
  /// The logarithms of the standard errors of these.
  package static let placeErrors = placeCount..<(2 * placeCount)
  /// The direction against gravity.
  package static let up = (2 * placeCount)..<(2 * placeCount + 3)
  /// How much taller than ``averageStature`` the person is, in ``statureUnit``.
  package static let stature = up.upperBound
  /// Angles in radians.
  package static let angles = (stature + 1)..<(stature + 1 + BodyAngle.allCases.count)
  /// The logarithms of the standard errors of these.
  package static let angleErrors =
    angles.upperBound..<(angles.upperBound + BodyAngle.allCases.count)
  package static let count = angleErrors.upperBound

  /// In metres.
  package static let averageStature: Float = 1.7
  package static let statureUnit: Float = 0.1
  /// What a person's stature may be, in metres: from a child who stands to the tallest.
  package static let statures: ClosedRange<Float> = 0.7...2.3
  /// The least and greatest logarithm of a standard error.
  package static let logErrors: ClosedRange<Float> = -7...1.5
}
