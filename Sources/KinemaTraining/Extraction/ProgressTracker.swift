import Synchronization

/// Adds up and reports the workers' progress.
final class ProgressTracker: Sendable {
  private struct State {
    var progress: ExtractionProgress
    /// The work done, in the unit of the weights.
    var done = 0.0
    /// The share of each file under way that is done.
    var shares: [Int: Double] = [:]
  }

  private let state: Mutex<State>
  private let weights: [Double]
  private let total: Double
  private let handler: (@Sendable (ExtractionProgress) -> Void)?
  private let start = ContinuousClock.now

  /// - Parameter weights: How much work each file is.
  init(
    _ phase: ExtractionProgress.Phase, weights: [Double],
    handler: (@Sendable (ExtractionProgress) -> Void)?
  ) {
    self.weights = weights.map { max(1, $0) }
    total = self.weights.reduce(0, +)
    self.handler = handler
    state = Mutex(State(progress: ExtractionProgress(phase: phase, fileCount: weights.count)))
    update { _ in }
  }

  /// A file's poses were in the cache, or it holds poses itself.
  func finishWithoutWork(_ index: Int, wasCached: Bool) {
    update { state in
      if wasCached { state.progress.cachedCount += 1 }
      Self.finish(index, self.weights[index], &state)
    }
  }

  func begin(_ index: Int) { update { state in state.progress.decodedCount += 1 } }

  /// A frame was processed; `share` of the file is done.
  func advance(_ index: Int, share: Double) {
    update { state in
      state.progress.frameCount += 1
      state.shares[index] = min(1, share)
    }
  }

  func finish(_ index: Int) { update { state in Self.finish(index, self.weights[index], &state) } }

  private static func finish(_ index: Int, _ weight: Double, _ state: inout State) {
    state.shares[index] = nil
    state.done += weight
    state.progress.completedCount += 1
  }

  /// The handler is called under the lock, so that reports come one at a time and in order.
  private func update(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      guard let handler else { return }
      let begun = state.shares.sorted { $0.key < $1.key }.reduce(0) {
        $0 + weights[$1.key] * $1.value
      }
      let fraction = total > 0 ? min(1, (state.done + begun) / total) : 1
      state.progress.fractionCompleted = fraction
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      state.progress.secondsRemaining = fraction > 0 ? elapsed * (1 - fraction) / fraction : nil
      handler(state.progress)
    }
  }
}
