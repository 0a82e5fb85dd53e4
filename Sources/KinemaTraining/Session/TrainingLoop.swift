import Foundation
import KinemaNetwork

/// The training itself, from top to bottom.
///
/// An iteration shows every window once, varied and in a new order, and ends with a judgement by the
/// validation windows. Between any two steps the training can be left, and be entered again by a
/// process that knows nothing but the checkpoint.
struct TrainingLoop {
  /// How a run of the loop ends.
  enum Ending {
    /// All iterations are done, or further ones were not worth it.
    case finished
    /// It was asked to stop; the checkpoint is complete.
    case stopped
  }

  let parameters: ActionClassifierParameters
  let batches: BatchPreparation
  /// The validation windows; `nil` where there are none.
  let validation: TrainingBatch?
  let trainer: NetworkTrainer

  /// Where the training stands.
  var state: TrainingState
  /// The network of the best iteration; empty before the first one is complete.
  var bestNetwork: [UInt8]

  /// Trains on from where the state stands.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked after each step.
  ///   - checkpointIsDue: Asked after each step and each iteration.
  ///   - saveCheckpoint: Keeps the training.
  ///   - log: Takes the metrics of each iteration.
  ///   - report: Told after each step and each iteration.
  mutating func run(
    shouldStop: () -> Bool, checkpointIsDue: () -> Bool,
    saveCheckpoint: (TrainingLoop) throws -> Void, log: (TrainingMetrics) throws -> Void,
    report: (TrainingLoop, _ endsIteration: Bool) -> Void
  ) throws -> Ending {
    let clock = Stopwatch(secondsBefore: state.seconds)
    let schedule = LearningRateSchedule(
      peak: parameters.learningRate, stepCount: parameters.maximumIterations * batches.batchCount,
      warmUpShare: parameters.warmUpShare)

    while !state.isFinished {
      // Show every window once.
      var learningRate = 0.0
      while state.batch < batches.batchCount {
        let batch = batches.batch(iteration: state.iteration, index: state.batch)
        learningRate = schedule.rate(at: state.iteration * batches.batchCount + state.batch)
        let (loss, correctCount) = try trainer.step(
          windows: batch.windows, labels: batch.labels, learningRate: Float(learningRate))
        try check(loss)
        state.batch += 1
        state.lossSum += Double(loss) * Double(batch.labels.count)
        state.correctCount += correctCount
        state.seconds = clock.seconds
        // The last step belongs to the end of the iteration.
        guard state.batch < batches.batchCount else { break }
        if shouldStop() {
          try saveCheckpoint(self)
          return .stopped
        }
        if checkpointIsDue() { try saveCheckpoint(self) }
        report(self, false)
      }

      // Judge, and keep the network if it is the best so far.
      let windowCount = Double(batches.windowCount)
      var metrics = TrainingMetrics(
        iteration: state.iteration + 1, trainingLoss: state.lossSum / windowCount,
        trainingAccuracy: Double(state.correctCount) / windowCount, learningRate: learningRate,
        seconds: clock.seconds)
      if let validation {
        let (loss, correctCount) = try trainer.loss(
          of: validation.windows, labels: validation.labels)
        try check(loss)
        metrics.validationLoss = Double(loss)
        metrics.validationAccuracy = Double(correctCount) / Double(validation.labels.count)
        metrics.seconds = clock.seconds
      }
      state.iteration += 1
      (state.batch, state.lossSum, state.correctCount) = (0, 0, 0)
      state.seconds = metrics.seconds
      state.history.append(metrics)
      if isBest(metrics) {
        state.bestIteration = metrics.iteration
        bestNetwork = trainer.state()
      }

      // Go on, or be done.
      let iterationsSinceBest = state.iteration - (state.bestIteration ?? 0)
      state.isFinished =
        state.iteration >= parameters.maximumIterations
        || iterationsSinceBest >= parameters.earlyStoppingPatience ?? .max
      try log(metrics)
      let stops = !state.isFinished && shouldStop()
      if state.isFinished || stops || checkpointIsDue() { try saveCheckpoint(self) }
      report(self, true)
      if stops { return .stopped }
    }
    return .finished
  }

  /// Whether an iteration beats those before: by a lower validation loss; without validation the
  /// latest is the best.
  private func isBest(_ metrics: TrainingMetrics) -> Bool {
    guard let loss = metrics.validationLoss, let best = state.bestMetrics?.validationLoss else {
      return true
    }
    return loss < best
  }

  private func check(_ loss: Float) throws {
    guard loss.isFinite else {
      throw TrainingError(
        .badParameter,
        "The training has run out of bounds in iteration \(state.iteration + 1); lower the learning "
          + "rate (\(parameters.learningRate)), or train with full precision.")
    }
  }
}

/// Seconds that go on from what was spent before.
private struct Stopwatch {
  let secondsBefore: TimeInterval
  private let start = ContinuousClock.now

  init(secondsBefore: TimeInterval) {
    self.secondsBefore = secondsBefore
  }

  var seconds: TimeInterval { secondsBefore + (ContinuousClock.now - start) / .seconds(1) }
}
