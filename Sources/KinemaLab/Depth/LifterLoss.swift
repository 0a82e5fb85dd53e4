import Foundation
import KinemaDepth
import KinemaPose
import KinemaSynth

/// How wrong the lifter's network is about a moment, and in which direction its numbers should go.
///
/// Places count by their distance, angles by their size, robustly: what cannot be seen must not outweigh
/// what can. Errors learn how large these are (the negative log-likelihood of a normal distribution), and
/// do not move the places and angles.
struct LifterLoss {
  private static let placeWeight: Float = 10
  private static let angleWeight: Float = 3
  private static let upWeight: Float = 5
  private static let statureWeight: Float = 0.05
  private static let errorWeight: Float = 0.1
  /// Below this an angle's error counts by its square, in radians.
  private static let smallAngle: Float = 0.05
  /// Below this a distance counts less than in proportion, in statures.
  private static let smallDistance: Float = 0.005

  /// The loss, and its gradient into `gradient`, both divided by `count`.
  static func evaluate(
    _ output: UnsafePointer<Float>, _ truth: DepthSampler.Truth, count: Int,
    into gradient: UnsafeMutablePointer<Float>
  ) -> Float {
    let scale = 1 / Float(count)
    var loss: Float = 0
    let placeScale = placeWeight * scale / Float(BodyJoint.count)
    let placeErrorScale = errorWeight * scale / Float(BodyJoint.count)
    for (joint, place) in truth.places.enumerated() {
      let start = LiftOutput.places.lowerBound + 3 * joint
      let away =
        Vector(output[start], output[start + 1], output[start + 2]) - place
      let length = (away.dot(away) + smallDistance * smallDistance).squareRoot()
      loss += placeScale * length
      for axis in 0..<3 {
        gradient[start + axis] = placeScale * away[axis] / length
        let error = LiftOutput.placeErrors.lowerBound + 3 * joint + axis
        loss += likelihood(
          output[error], residual: away[axis], scale: placeErrorScale, into: &gradient[error])
      }
    }
    let up = LiftOutput.up.lowerBound
    for axis in 0..<3 {
      let away = output[up + axis] - truth.up[axis]
      loss += upWeight * scale * away * away
      gradient[up + axis] = 2 * upWeight * scale * away
    }
    let stature =
      output[LiftOutput.stature] - (truth.stature - LiftOutput.averageStature)
      / LiftOutput.statureUnit
    loss += statureWeight * scale * stature * stature
    gradient[LiftOutput.stature] = 2 * statureWeight * scale * stature
    let angleScale = angleWeight * scale / Float(truth.angles.count)
    for (number, angle) in truth.angles.enumerated() {
      let place = LiftOutput.angles.lowerBound + number
      let away = output[place] - angle
      loss += angleScale * robust(away)
      gradient[place] = angleScale * min(max(away / smallAngle, -1), 1)
      let error = LiftOutput.angleErrors.lowerBound + number
      loss += likelihood(
        output[error], residual: away, scale: errorWeight * scale / Float(truth.angles.count),
        into: &gradient[error])
    }
    return loss
  }

  private static func robust(_ away: Float) -> Float {
    let size = abs(away)
    return size < smallAngle ? size * size / (2 * smallAngle) : size - smallAngle / 2
  }

  /// The negative logarithm of the likelihood of a residual, with its gradient for the logarithm of the error.
  private static func likelihood(
    _ logarithm: Float, residual: Float, scale: Float, into gradient: inout Float
  ) -> Float {
    let limits = LiftOutput.logErrors
    let logarithm = min(max(logarithm, limits.lowerBound), limits.upperBound)
    let ratio = min(residual * residual * exp(-2 * logarithm), 100)
    gradient = scale * (1 - ratio)
    return scale * (logarithm + ratio / 2)
  }
}
