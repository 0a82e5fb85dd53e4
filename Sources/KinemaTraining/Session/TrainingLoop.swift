import Foundation
import KinemaNetwork

/// The training loop.
///
/// An epoch (`iteration`) processes every window once, augmented and in random order, then
/// evaluates the validation windows. Training can stop and resume between any two steps.
struct TrainingLoop {
  enum Ending {
    /// All epochs are done, or patience ran out.
    case finished
    case stopped
  }

  let parameters: ActionClassifierParameters
  let batches: BatchPreparation
  let validation: TrainingBatch?
  let trainer: NetworkTrainer

  /// From how many batches the statistics of mean weights are taken: 400 give means to a hundredth of a
  /// deviation, with a few windows a batch already.
  static let statisticsBatchCount = 400

  var state: TrainingState
  /// The best epoch's network; empty before the first is complete.
  var bestNetwork: [UInt8]

  /// Trains from the current state.
  ///
  /// - Parameters:
  ///   - shouldStop: Checked after each step.
  ///   - checkpointIsDue: Checked after each step and epoch.
  ///   - report: Receives progress after each step and epoch.
  mutating func run(
    shouldStop: () -> Bool, checkpointIsDue: () -> Bool,
    saveCheckpoint: (TrainingLoop) throws -> Void, log: (TrainingMetrics) throws -> Void,
    report: (TrainingLoop, _ endsIteration: Bool) -> Void
  ) throws -> Ending {
    let clock = Stopwatch(secondsBefore: state.seconds)
    let schedule = LearningRateSchedule(
      peak: parameters.learningRate, stepCount: parameters.maximumIterations * batches.batchCount,
      warmUpShare: parameters.warmUpShare, heldShare: parameters.averagingRate)

    while !state.isFinished {
      // Process every window once.
      var learningRate = 0.0
      while state.batch < batches.batchCount {
        let batch = batches.batch(iteration: state.iteration, index: state.batch)
        let step = state.iteration * batches.batchCount + state.batch
        learningRate = schedule.rate(at: step)
        let (loss, correctCount) = try trainer.step(
          windows: batch.windows, labels: batch.labels, learningRate: Float(learningRate))
        try check(loss)
        if schedule.isHeld(at: step) { trainer.addWeightsToMean() }
        state.batch += 1
        state.lossSum += Double(loss) * Double(batch.labels.count)
        state.correctCount += correctCount
        state.seconds = clock.seconds
        // The last step belongs to the end of the epoch.
        guard state.batch < batches.batchCount else { break }
        if shouldStop() {
          try saveCheckpoint(self)
          return .stopped
        }
        if checkpointIsDue() { try saveCheckpoint(self) }
        report(self, false)
      }

      if state.iteration + 1 == parameters.maximumIterations { try takeMeanWeights() }

      // Validate, and store the network if it is the best so far.
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

      // Continue or finish.
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

  /// Replaces the weights by their mean over the steps for which there is one, if any.
  private func takeMeanWeights() throws {
    guard trainer.takeMeanWeights() else { return }
    for index in 0..<min(Self.statisticsBatchCount, batches.batchCount) {
      let batch = batches.batch(iteration: state.iteration, index: index)
      try trainer.measure(batch.windows, after: index)
    }
  }

  /// Whether an epoch has the lowest validation loss so far; without validation the latest is best.
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
        "The training diverged in iteration \(state.iteration + 1); lower the learning "
          + "rate (\(parameters.learningRate)), or train with full precision.",
        text: MessageText("diverged", ["iteration": state.iteration + 1]))
    }
  }
}

/// A stopwatch that starts at the time spent before.
private struct Stopwatch {
  let secondsBefore: TimeInterval
  private let start = ContinuousClock.now

  var seconds: TimeInterval { secondsBefore + (ContinuousClock.now - start) / .seconds(1) }
}
