import Foundation
import KinemaDepth
import KinemaModelFiles
import KinemaNetwork
import KinemaPose
import KinemaSynth
import Synchronization

/// What the lifter's network gives for a moment, beside the truth.
struct DepthOutcome: Sendable {
  let output: [Float]
  let truth: DepthSampler.Truth

  /// The outcomes of the first sequences of a sampler, `count` or some more.
  static func all(
    of model: DepthModel, _ sampler: DepthSampler, count: Int, threadCount: Int
  ) throws -> [DepthOutcome] {
    let network = try model.network(
      inputCount: LiftWindow.inputCount, outputCount: LiftOutput.count)
    let sequences = (count + DepthSampler.momentCount - 1) / DepthSampler.momentCount
    let runs = (0..<max(1, threadCount)).map { _ in LiftRun(network) }
    let results = Mutex([Int: [DepthOutcome]]())
    Workers(count: threadCount).run(sequences) { sequence, worker in
      let outcomes = sampler.samples(sequence).map { sample in
        DepthOutcome(output: runs[worker].output(sample.input), truth: sample.truth)
      }
      results.withLock { $0[sequence] = outcomes }
    }
    return results.withLock { results in
      (0..<sequences).flatMap { results[$0] ?? [] }
    }
  }

  /// From the true place of a joint to the estimated one, in statures.
  func away(_ joint: Int) -> Vector {
    let start = LiftOutput.places.lowerBound + 3 * joint
    return Vector(output[start], output[start + 1], output[start + 2]) - truth.places[joint]
  }

  /// The distance of a joint from its true place, in standard errors.
  func placeRatio(_ joint: Int) -> Float {
    let start = LiftOutput.placeErrors.lowerBound + 3 * joint
    let variance = (0..<3).reduce(Float(0)) {
      let error = LiftOutput.error(output[start + $1])
      return $0 + error * error
    }
    return away(joint).length / variance.squareRoot()
  }

  /// How far an angle is from the true one, in radians.
  func angleError(_ angle: Int) -> Float {
    abs(output[LiftOutput.angles.lowerBound + angle] - truth.angles[angle])
  }

  /// The same in standard errors.
  func angleRatio(_ angle: Int) -> Float {
    angleError(angle) / LiftOutput.error(output[LiftOutput.angleErrors.lowerBound + angle])
  }

  /// The mean distance of the joints from their true places, in metres, with the stature that the network
  /// estimates.
  var placeError: Float {
    let stature =
      LiftOutput.averageStature + LiftOutput.statureUnit * output[LiftOutput.stature]
    let sum = (0..<BodyJoint.count).reduce(Float(0)) { sum, joint in
      let start = LiftOutput.places.lowerBound + 3 * joint
      let place = Vector(output[start], output[start + 1], output[start + 2]) * stature
      return sum + (place - truth.places[joint] * truth.stature).length
    }
    return sum / Float(BodyJoint.count)
  }
}
