import Foundation
import KinemaPose

/// Which errors a ``SimulatedEstimator`` makes, and how large they are.
///
/// Lengths are shares of stature, times are in frames. An error that is `nil` does not happen and
/// draws no random numbers.
package struct EstimatorErrors: Sendable {
  /// The noise's standard deviation: drawn evenly or, with ``severeNoise``, logarithmically.
  let noise: ClosedRange<Float>
  /// The upper end of ``noise`` for one sequence in five.
  let severeNoise: Float?
  /// The spacing of knots of the noise that changes smoothly.
  let noiseSpacing: Double
  /// How much more noise there is where a joint is fully hidden, as a factor that is added.
  let hiddenNoise: Float
  /// The standard deviation of a hidden joint's constant error.
  let hiddenBias: Float
  /// Whether that error grows with how much the joint is hidden.
  let scalesHiddenBias: Bool
  /// The probabilities that a sequence misses wrist or ankle, or another joint, for a while.
  let misses: (ends: Float, others: Float)
  let missedFrames: ClosedRange<Float>
  /// Whether the start of the missed frames is drawn before their number: a seed keeps its
  /// people.
  let drawsMissedStartFirst: Bool
  /// The standard deviation and the spacing of a missed joint's drift.
  let missedDrift: (deviation: Float, spacing: Double)
  /// Whether joints outside a frame drift, and joints have confidences.
  let seesFrame: Bool
  /// The probabilities that sides are exchanged, and that single frames are torn.
  let exchangedSides, tornFrames: Float?
  /// Whether joints are misplaced, hidden or not; see ``Misplacement``.
  var misplacesJoints = false
  /// Whether a body whose head points at the camera may be taken for upright (``UprightMistake``).
  package var takesForUpright = false

  /// The errors in the training data of the built-in classifiers and in all trials.
  package static let workouts = EstimatorErrors(
    noise: 0.001...0.006, severeNoise: nil, noiseSpacing: 6, hiddenNoise: 2, hiddenBias: 0.012,
    scalesHiddenBias: false, misses: (0.06, 0.01), missedFrames: 4...25,
    drawsMissedStartFirst: false, missedDrift: (0.05, 9), seesFrame: true, exchangedSides: nil,
    tornFrames: nil)

  /// The errors in most training data of the counter: larger, without a frame, and gaps are bridged as
  /// the counter bridges them.
  package static let counting = EstimatorErrors(
    noise: 0.0015...0.015, severeNoise: 0.05, noiseSpacing: 3, hiddenNoise: 3, hiddenBias: 0.03,
    scalesHiddenBias: true, misses: (0.1, 0.02), missedFrames: 3...30, drawsMissedStartFirst: true,
    missedDrift: (0.08, 8), seesFrame: false, exchangedSides: 0.12, tornFrames: 0.12)

  /// ``workouts`` with joints that are misplaced by as much as was measured: `kinema bench pose-errors`.
  package static let measured = {
    var errors = workouts
    errors.misplacesJoints = true
    return errors
  }()

  /// The errors before the cameras of rooms, with few pixels a person.
  package static let rooms = EstimatorErrors(
    noise: 0.002...0.008, severeNoise: 0.02, noiseSpacing: 4, hiddenNoise: 3, hiddenBias: 0.03,
    scalesHiddenBias: true, misses: (0.15, 0.03), missedFrames: 4...40,
    drawsMissedStartFirst: false, missedDrift: (0.08, 8), seesFrame: true, exchangedSides: nil,
    tornFrames: nil)

  func drawNoise(using generator: inout SeededGenerator) -> Float {
    guard let severeNoise else { return generator.uniform(noise) }
    let most = generator.chance(0.2) ? severeNoise : noise.upperBound
    return exp(generator.uniform(log(noise.lowerBound)...log(most)))
  }

  /// Frames in which the estimator has lost a joint: mostly none.
  func drawMissedFrames(
    of joint: BodyJoint, frameCount: Int, using generator: inout SeededGenerator
  ) -> Range<Int> {
    let isEnd = [.rightWrist, .leftWrist, .rightAnkle, .leftAnkle].contains(joint)
    guard generator.chance(isEnd ? misses.ends : misses.others) else { return 0..<0 }
    func drawStart() -> Int { Int(generator.uniform(0...1) * Float(frameCount)) }
    let early = drawsMissedStartFirst ? drawStart() : nil
    let length = Int(generator.uniform(missedFrames))
    let start = early ?? drawStart()
    return start..<(start + length)
  }
}
