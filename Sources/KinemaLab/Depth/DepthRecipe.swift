import Foundation
import KinemaDepth
import KinemaFiles
package import KinemaModelFiles
import KinemaNetwork
import KinemaTraining

/// How the lifter's network is made: every number, and nothing else, decides the weights.
package struct DepthRecipe: Codable, Hashable, Sendable {
  package var seed: UInt64 = 1
  package var stepCount = 24_000
  /// The numbers of a moment's token, how often tokens are mixed, and the units of a mixing.
  package var width = 128
  package var blockCount = 2
  package var mixingWidth = 28
  /// The numbers that all tokens become, and the residual layers that read these.
  package var headWidth = 512
  package var headCount = 2
  /// The moments of a batch.
  package var batchSize = 512
  /// The greatest length of a step.
  package var learningRate: Float = 1e-3
  /// The steps in which the length of the steps grows to the greatest; from then on it falls on a cosine.
  package var warmUpSteps = 300
  /// The share of the steps, the last, with misplaced joints; the greatest length of a step there, and the
  /// share of the sequences that have them.
  package var refiningShare = 0.25
  package var refiningRate: Float = 3e-4
  package var measuredShare: Float = 0.5
  /// The share of sequences of real people.
  package var captureShare: Float = 0.6
  /// How many threads work; they change nothing but the time.
  package var threadCount = ProcessInfo.processInfo.activeProcessorCount

  /// The recipe of the model that comes with Kinema.
  package init() {}

  /// How many moments of people who are not learned from calibrate the errors.
  private static let calibrationCount = 12_000

  package struct Progress: Hashable, Sendable {
    package var step: Int
    package var stepCount: Int
    /// The mean loss of the last hundred steps or so.
    package var loss: Float
  }

  /// A part of the training: its number of steps, their greatest length, and who is learned from.
  private struct Phase {
    let stepCount, warmUpSteps: Int
    let learningRate: Float
    let sampler: DepthSampler

    func learningRate(at step: Int) -> Float {
      if step < warmUpSteps { return learningRate * Float(step + 1) / Float(warmUpSteps) }
      let share = Float(step - warmUpSteps) / Float(max(stepCount - warmUpSteps, 1))
      return learningRate * (0.01 + 0.99 * 0.5 * (1 + cos(.pi * share)))
    }
  }

  /// Trains the model; `progress` is called after every step and may throw to stop.
  ///
  /// - Parameter capture: How real people move; `nil` for synthetic people only. One subject in six is not
  ///   learned from and calibrates the errors.
  /// - Throws: ``KinemaModelFiles/ModelFileError`` where the network cannot be written, and what `progress`
  ///   throws.
  package func run(
    from capture: MotionCapture?, progress: (Progress) throws -> Void = { _ in }
  ) throws -> DepthModel {
    let split = capture.map(Self.split)
    let workers = Workers(count: threadCount)
    let size = LifterLayout.Size(
      width: width, blockCount: blockCount, mixingWidth: mixingWidth, headWidth: headWidth,
      headCount: headCount)
    var sampler = DepthSampler(split?.training, seed: seed)
    sampler.captureShare = captureShare
    var refining = sampler
    refining.measuredShare = measuredShare
    let refiningStepCount = Int(saturating: refiningShare * Double(stepCount))
    let phases = [
      Phase(
        stepCount: stepCount - refiningStepCount, warmUpSteps: warmUpSteps,
        learningRate: learningRate,
        sampler: sampler),
      Phase(
        stepCount: refiningStepCount, warmUpSteps: warmUpSteps, learningRate: refiningRate,
        sampler: refining),
    ]
    var trainer = LifterTrainer(size, seed: seed, workers: workers)
    var (done, mean) = (0, Float(0))
    for phase in phases {
      // Each phase has an optimizer of its own.
      if done > 0 {
        trainer = LifterTrainer(size, seed: seed, workers: workers, from: trainer.averages)
      }
      var pool = MomentPool(phase.sampler, workers: workers)
      for step in 0..<phase.stepCount {
        let loss = trainer.step(
          pool.next(batchSize), learningRate: phase.learningRate(at: step))
        done += 1
        mean += (loss - mean) / Float(min(done, 100))
        try progress(Progress(step: done, stepCount: stepCount, loss: mean))
      }
    }
    var held = DepthSampler(split?.calibration, seed: seed ^ 0xCA11)
    held.captureShare = captureShare
    held.reshapes = false
    held.measuredShare = measuredShare
    try calibrate(trainer, by: held)
    return try model(trainer)
  }

  private func model(_ trainer: LifterTrainer) throws -> DepthModel {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // The number of threads does not change the result.
    var recipe = self
    recipe.threadCount = 1
    return DepthModel(
      graph: try trainer.layout.graph(trainer.averages),
      metadata: ModelMetadata(
        shortDescription: "Estimates bodies in three dimensions from poses in a picture.",
        author: "Kinema", license: "Apache 2.0", version: "1",
        userDefined: [
          "org.kinema.recipe": String(decoding: try encoder.encode(recipe), as: UTF8.self)
        ]))
  }

  private static func split(
    _ capture: MotionCapture
  ) -> (training: MotionCapture, calibration: MotionCapture) {
    let subjects = Set(capture.recordings.map(\.subject)).sorted()
    let held = Set(subjects.enumerated().filter { $0.offset % 6 == 3 }.map(\.element))
    return (
      MotionCapture(capture.recordings.filter { !held.contains($0.subject) }),
      MotionCapture(capture.recordings.filter { held.contains($0.subject) })
    )
  }

  /// Moves the logarithms of errors so that 68.3 % of the residuals of people who were not learned from are
  /// within them.
  private func calibrate(_ trainer: LifterTrainer, by sampler: DepthSampler) throws {
    let outcomes = try DepthOutcome.all(
      of: try model(trainer), sampler, count: Self.calibrationCount, threadCount: threadCount)
    for joint in 0..<(LiftOutput.places.count / 3) {
      let shift = Self.shift(outcomes.map { $0.placeRatio(joint) })
      let start = LiftOutput.placeErrors.lowerBound + 3 * joint
      trainer.shiftBiases(of: start..<(start + 3)) { _ in shift }
    }
    trainer.shiftBiases(of: LiftOutput.angleErrors) { output in
      let angle = output - LiftOutput.angleErrors.lowerBound
      return Self.shift(outcomes.map { $0.angleRatio(angle) })
    }
  }

  /// The logarithm of the ratio of residual to error that 68.3 % do not exceed.
  private static func shift(_ ratios: [Float]) -> Float {
    let sorted = ratios.sorted()
    guard !sorted.isEmpty else { return 0 }
    return log(max(sorted[Int(saturating: Double(sorted.count) * 0.683)], 1e-3))
  }
}
