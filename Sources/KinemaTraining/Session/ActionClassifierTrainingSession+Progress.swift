extension ActionClassifierTrainingSession {
  /// The share of all epochs that is done.
  func fraction(_ loop: TrainingLoop) -> Double {
    let partial = Double(loop.state.batch) / Double(max(1, loop.batches.batchCount))
    return (Double(loop.state.iteration) + partial) / Double(parameters.maximumIterations)
  }

  func progress(
    _ loop: TrainingLoop, since start: (time: ContinuousClock.Instant, fraction: Double),
    rest: Double, endsIteration: Bool
  ) -> TrainingProgress {
    let done = fraction(loop)
    let elapsed = (ContinuousClock.now - start.time) / .seconds(1)
    let speed = elapsed > 0.2 ? (done - start.fraction) / elapsed : 0
    return TrainingProgress(
      iteration: loop.state.iteration, iterationCount: parameters.maximumIterations,
      fractionCompleted: done / (1 + rest),
      secondsLeft: speed > 0 ? (1 - done + rest) / speed : nil,
      metrics: loop.state.history.last, bestIteration: loop.state.bestIteration,
      endsIteration: endsIteration)
  }
}
