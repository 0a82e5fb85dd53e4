internal import Dispatch
internal import Glibc
internal import Synchronization

/// Teaches the network that reads periods off planes of likeness.
///
/// AdamW (Loshchilov and Hutter, *Decoupled Weight Decay Regularization*, 2019) over batches of
/// sequences of any length. Each sequence's gradient is summed in the batch's order, so that the
/// result does not depend on the number of threads.
package final class PeriodNetworkTrainer {
  /// How it learns.
  package struct Options: Codable, Hashable, Sendable {
    /// Decides the weights to begin with.
    package var seed: UInt64
    package var threadCount: Int
    package var weightDecay: Float = 0.01
    package var beta1: Float = 0.9
    package var beta2: Float = 0.999
    package var epsilon: Float = 1e-8
    /// The length to which longer gradients are cut.
    package var longestGradient: Float = 1
    /// How much of the running average of the weights each step keeps.
    package var averaging: Float = 0.999

    package init(seed: UInt64, threadCount: Int) {
      self.seed = seed
      self.threadCount = threadCount
    }
  }

  package let specification: PeriodNetworkSpecification
  package let options: Options
  package let loss: PeriodNetworkLoss
  /// The steps taken.
  package private(set) var stepCount = 0
  /// The weights as they are.
  package private(set) var weights: [Float]
  /// The running average of the weights, which does better than any one of them.
  package private(set) var averages: [Float]
  private var firstMoments: [Float]
  private var secondMoments: [Float]
  private let layout: PeriodNetworkLayout
  private let decays: [Bool]
  private let passes: [PeriodNetworkPass]

  package init(
    _ specification: PeriodNetworkSpecification, loss: PeriodNetworkLoss, options: Options
  ) {
    precondition(loss.lags.count == specification.lagCount, "The loss has other lags.")
    self.specification = specification
    self.options = options
    self.loss = loss
    layout = PeriodNetworkLayout(specification)
    decays = layout.decays
    weights = layout.initialWeights(seed: options.seed)
    averages = weights
    firstMoments = [Float](repeating: 0, count: layout.count)
    secondMoments = firstMoments
    passes = (0..<max(options.threadCount, 1)).map { [layout] _ in PeriodNetworkPass(layout) }
  }

  /// Where each tensor lies among the weights: the convolutions' weights, their biases, the heads.
  package var tensors: [Range<Int>] { layout.tensors }

  /// The network with its averaged weights as layers of the Core ML specification.
  ///
  /// Input `planes`, [1, inputChannels, times, lags]; output `periods`, [1, states, times, 1].
  package func graph(times: Int) throws -> Graph {
    try layout.graph(averages, times: times)
  }

  /// One step on a batch.
  ///
  /// - Parameters:
  ///   - count: The sequences of the batch.
  ///   - learningRate: The step's length.
  ///   - sample: Makes the sequence with the given number; it is called from several threads.
  /// - Returns: The batch's mean loss before the step.
  package func step(
    count: Int, learningRate: Float, sample: @Sendable (Int) -> PeriodNetworkSample
  ) -> Float {
    let (losses, gradients) = gradients(count: count, sample: sample)
    var sum = [Float](repeating: 0, count: layout.count)
    for gradient in gradients {
      for index in sum.indices { sum[index] += gradient[index] }
    }
    update(sum, count: count, learningRate: learningRate)
    return losses.reduce(0, +) / Float(count)
  }

  /// The loss of a sequence and its gradient with respect to the weights.
  package func gradient(of sample: PeriodNetworkSample) -> (loss: Float, gradient: [Float]) {
    let (losses, gradients) = gradients(count: 1) { _ in sample }
    return (losses[0], gradients[0])
  }

  /// The probabilities of rest and of each lag, [times, states].
  package func probabilities(_ planes: [Float], usesAverages: Bool = true) -> [Float] {
    MatrixProduct.useOneThread()
    let times = planes.count / (specification.inputChannels * specification.lagCount)
    passes[0].forward(planes, times: times, weights: usesAverages ? averages : weights)
    return passes[0].probabilities
  }

  /// Puts weights in place of the ones it has, such as changed ones for a test.
  package func setWeights(_ weights: [Float]) {
    precondition(weights.count == layout.count, "The network has another number of weights.")
    self.weights = weights
    averages = weights
  }

  private func gradients(
    count: Int, sample: @Sendable (Int) -> PeriodNetworkSample
  ) -> ([Float], [[Float]]) {
    let turned = turnedWeights()
    let work = Mutex<(next: Int, results: [(Float, [Float])])>(
      (0, Array(repeating: (0, []), count: count)))
    nonisolated(unsafe) let passes = passes
    let (weights, layout, loss) = (weights, layout, loss)
    DispatchQueue.concurrentPerform(iterations: min(passes.count, count)) { thread in
      MatrixProduct.useOneThread()
      let pass = passes[thread]
      while true {
        let index = work.withLock { work in
          defer { work.next += 1 }
          return work.next
        }
        guard index < count else { return }
        let sample = sample(index)
        let gradient = Self.gradient(
          of: sample, pass: pass, layout: layout, loss: loss, weights: weights, turned: turned)
        work.withLock { $0.results[index] = gradient }
      }
    }
    return work.withLock { work in (work.results.map(\.0), work.results.map(\.1)) }
  }

  /// The weights as the adjoints of the convolutions take them, but for the first one.
  private func turnedWeights() -> [Float] {
    var turned = weights
    let convolutions = zip(layout.convolutions, layout.convolutionWeights).dropFirst()
    for (convolution, range) in Array(convolutions) + zip(layout.overview, layout.overviewWeights) {
      let start = range.lowerBound
      weights.withUnsafeBufferPointer { weights in
        turned.withUnsafeMutableBufferPointer { turned in
          guard let from = weights.baseAddress, let to = turned.baseAddress else { return }
          convolution.turnWeights(from + start, into: to + start)
        }
      }
    }
    return turned
  }

  private static func gradient(
    of sample: PeriodNetworkSample, pass: PeriodNetworkPass, layout: PeriodNetworkLayout,
    loss: PeriodNetworkLoss, weights: [Float], turned: [Float]
  ) -> (Float, [Float]) {
    let times = sample.periods.count
    precondition(
      sample.planes.count
        == layout.specification.inputChannels * times * layout.specification.lagCount,
      "The planes and the periods of a sample have different times.")
    pass.forward(sample.planes, times: times, weights: weights)
    let (value, scores) = loss.evaluate(pass.probabilities, sample)
    let gradient = [Float](unsafeUninitializedCapacity: layout.count) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      pass.backward(
        sample.planes, scoreGradient: scores, weights: weights, turned: turned, into: start)
      count = layout.count
    }
    return (value, gradient)
  }

  private func update(_ sum: [Float], count: Int, learningRate: Float) {
    stepCount += 1
    var square = 0.0
    for value in sum { square += Double(value) * Double(value) }
    let length = Float(square.squareRoot()) / Float(count)
    let scale =
      (length > options.longestGradient ? options.longestGradient / length : 1)
      / Float(count)
    let correction1 = 1 - powf(options.beta1, Float(stepCount))
    let correction2 = 1 - powf(options.beta2, Float(stepCount))
    // Young averages remember less, or they would not forget where they began.
    let keep = min(options.averaging, Float(1 + stepCount) / Float(10 + stepCount))
    for index in weights.indices {
      let slope = sum[index] * scale
      firstMoments[index] += (1 - options.beta1) * (slope - firstMoments[index])
      secondMoments[index] += (1 - options.beta2) * (slope * slope - secondMoments[index])
      let step =
        firstMoments[index] / correction1
        / ((secondMoments[index] / correction2).squareRoot() + options.epsilon)
      let decay = decays[index] ? options.weightDecay * weights[index] : 0
      weights[index] -= learningRate * (step + decay)
      averages[index] += (1 - keep) * (weights[index] - averages[index])
    }
  }
}
