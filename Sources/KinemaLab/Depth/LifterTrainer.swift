import KinemaDepth
import KinemaNetwork

/// Trains the lifter's network: ``KinemaNetwork/AdamW`` over batches of moments.
///
/// The gradients of parts of a batch are summed in their order, so that the result does not depend on the
/// number of threads.
final class LifterTrainer {
  /// The moments of a part of a batch: each part has its own gradient of all weights.
  private static let rows = 128
  /// The length to which longer gradients are cut.
  private static let longestGradient: Float = 5
  /// How much of the running average of the weights each step keeps.
  private static let averaging: Float = 0.998

  let layout: LifterLayout
  private let parameters = TrainingParameters()
  private let workers: Workers
  private let passes: [LifterPass]
  private let optimizer = AdamW(weightDecay: 0.02)
  private let inputs, gradients: [FloatMemory]
  private(set) var stepCount = 0
  /// The running average of the weights, which predicts better than any one of them.
  private(set) var averages: [Float]

  /// - Parameter start: The weights to begin with; `nil` for random ones.
  init(
    _ size: LifterLayout.Size, seed: UInt64, workers: Workers, from start: [Float]? = nil
  ) {
    let layout = LifterLayout(size, in: parameters, seed: seed)
    if let start { parameters.weights.pointer.update(from: start, count: start.count) }
    self.layout = layout
    self.workers = workers
    passes = (0..<workers.count).map { _ in LifterPass(layout, rows: Self.rows) }
    inputs = passes.map { _ in FloatMemory(Self.rows * LiftWindow.inputCount) }
    gradients = passes.map { _ in FloatMemory(Self.rows * LiftOutput.count) }
    averages = parameters.values
  }

  /// One step on a batch of moments; returns the mean loss before it.
  func step(_ batch: [DepthSampler.Sample], learningRate: Float) -> Float {
    let (rows, weights) = (Self.rows, parameters.weights.pointer)
    let parts = (batch.count + rows - 1) / rows
    parameters.reserve(chunks: parts)
    let losses = FloatMemory(parts)
    workers.run(parts) { part, worker in
      let (pass, input, gradient) = (passes[worker], inputs[worker], gradients[worker])
      let samples = batch.dropFirst(part * rows).prefix(rows)
      input.pointer.update(repeating: 0, count: input.count)
      gradient.pointer.update(repeating: 0, count: gradient.count)
      for (row, sample) in samples.enumerated() {
        (input.pointer + row * LiftWindow.inputCount).update(
          from: sample.input, count: LiftWindow.inputCount)
      }
      let output = pass.forward(input.pointer, weights: weights)
      for (row, sample) in samples.enumerated() {
        losses[part] += LifterLoss.evaluate(
          output + row * LiftOutput.count, sample.truth, count: batch.count,
          into: gradient.pointer + row * LiftOutput.count)
      }
      pass.backward(
        outputGradient: gradient.pointer, weights: weights, into: parameters.part(part))
    }
    parameters.gather(chunks: parts, workers)
    parameters.scaleGradients(by: 1, limit: Self.longestGradient)
    stepCount += 1
    parameters.update(optimizer, step: stepCount, learningRate: learningRate, workers)
    // Young averages remember less, or they would not forget where they began.
    let keep = min(Self.averaging, Float(1 + stepCount) / Float(10 + stepCount))
    for index in averages.indices {
      averages[index] += (1 - keep) * (weights[index] - averages[index])
    }
    return losses.values.reduce(0, +)
  }

  /// Adds to the biases of the last layer: calibrates the logarithms of errors.
  func shiftBiases(of outputs: Range<Int>, by shift: (Int) -> Float) {
    for output in outputs { averages[layout.last.biases + output] += shift(output) }
  }
}
