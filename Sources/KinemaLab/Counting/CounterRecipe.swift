import Foundation
import KinemaCounting

/// How the counter's network is made: every number, and nothing else, decides the weights.
package struct CounterRecipe: Codable, Hashable, Sendable {
  package var seed: UInt64 = 1
  package var stepCount = 32000
  package var channels = 20
  package var batchSize = 16
  /// The greatest length of a step.
  package var learningRate: Float = 2.5e-3
  /// The steps in which the length of the steps grows to that; from then on it falls on a cosine.
  package var warmUpSteps = 200
  /// The weight of the error of the count beside that of the periods.
  package var countWeight: Float = 0.5
  /// How far a right period is spread over the lags, in eighths of an octave.
  var periodSpread: Float = 1
  /// How many threads work; they change nothing but the time.
  package var threadCount = 2

  /// The recipe of the model that comes with Kinema.
  package init() {}

  package struct Progress: Hashable, Sendable {
    package var step: Int
    package var stepCount: Int
    /// The mean loss of the last hundred steps or so.
    package var loss: Float
  }

  package func learningRate(at step: Int) -> Float {
    if step < warmUpSteps { return learningRate * Float(step + 1) / Float(warmUpSteps) }
    let share = Float(step - warmUpSteps) / Float(max(stepCount - warmUpSteps, 1))
    return learningRate * 0.5 * (1 + cosf(.pi * share))
  }

  /// The untrained network.
  package func trainer() -> PeriodNetworkTrainer {
    PeriodNetworkTrainer(
      PeriodNetworkSpecification(
        inputChannels: LagPlanes.channelCount, channels: channels, lagCount: LagPlanes.lagCount),
      loss: PeriodNetworkLoss(
        lags: LagPlanes.lags.map { Float($0) },
        timeStep: Float(Double(LagPlanes.step) / MotionTrack.frameRate), spread: periodSpread,
        countWeight: countWeight),
      options: .init(seed: seed, threadCount: threadCount))
  }

  /// Trains the model; `progress` is called after every step and may throw to stop.
  package func run(progress: (Progress) throws -> Void = { _ in }) throws -> RepetitionModel {
    let trainer = trainer()
    try train(trainer, progress: progress)
    return try RepetitionModel(trainer, recipe: self)
  }

  /// Trains a network; `progress` is called after every step and may throw to stop.
  package func train(
    _ trainer: PeriodNetworkTrainer, progress: (Progress) throws -> Void
  ) rethrows {
    let repetitions = SyntheticRepetitions(seed: seed)
    var mean: Float = 0
    for step in 0..<stepCount {
      let first = step * batchSize
      let loss = trainer.step(count: batchSize, learningRate: learningRate(at: step)) {
        repetitions.sample(first + $0)
      }
      mean += (loss - mean) / Float(min(step + 1, 100))
      try progress(Progress(step: step + 1, stepCount: stepCount, loss: mean))
    }
  }
}
