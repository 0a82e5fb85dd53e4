package import KinemaNetwork

/// Trains the network that reads periods off planes of likeness.
///
/// ``AdamW`` over batches of sequences of any length. Each sequence's gradient is summed in the
/// batch's order, so that the result does not depend on the number of threads.
package final class PeriodNetworkTrainer {
  package struct Options: Codable, Hashable, Sendable {
    package var seed: UInt64
    package var threadCount: Int
    package var optimizer = AdamW()
    /// The length to which longer gradients are cut.
    var longestGradient: Float = 1
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
  package private(set) var stepCount = 0
  /// The running average of the weights, which predicts better than any one of them.
  package private(set) var averages: [Float]
  private let parameters = TrainingParameters()
  private let layout: PeriodNetworkLayout
  private let workers: Workers
  private let passes: [PeriodNetworkPass]

  package init(
    _ specification: PeriodNetworkSpecification, loss: PeriodNetworkLoss, options: Options
  ) {
    precondition(loss.lags.count == specification.lagCount, "the loss has other lags")
    self.specification = specification
    self.options = options
    self.loss = loss
    let layout = PeriodNetworkLayout(specification, in: parameters, seed: options.seed)
    self.layout = layout
    averages = parameters.values
    workers = Workers(count: max(options.threadCount, 1))
    passes = (0..<workers.count).map { _ in PeriodNetworkPass(layout) }
  }

  package var tensors: [TrainingTensor] { parameters.tensors }

  /// All weights, a few of which between the tensors are always 0; setting them also sets the
  /// averages.
  package var weights: [Float] {
    get { parameters.values }
    set {
      parameters.values = newValue
      averages = newValue
    }
  }

  /// The network with its averaged weights as layers of the Core ML specification.
  ///
  /// Input `planes`, [1, inputChannels, times, lags]; output `periods`, [1, states, times, 1].
  package func graph(times: Int) throws -> Graph { try layout.graph(averages, times: times) }

  /// One step on a batch of sequences, made by several threads.
  ///
  /// Returns the batch's mean loss before the step.
  package func step(
    count: Int, learningRate: Float, sample: @Sendable (Int) -> PeriodNetworkSample
  ) -> Float {
    let losses = differentiate(count: count, sample: sample)
    parameters.scaleGradients(by: 1 / Float(count), limit: options.longestGradient)
    stepCount += 1
    parameters.update(options.optimizer, step: stepCount, learningRate: learningRate, workers)
    // Young averages remember less, or they would not forget where they began.
    let keep = min(options.averaging, Float(1 + stepCount) / Float(10 + stepCount))
    let weights = parameters.weights.pointer
    for index in averages.indices {
      averages[index] += (1 - keep) * (weights[index] - averages[index])
    }
    return losses.reduce(0, +) / Float(count)
  }

  package func gradient(of sample: PeriodNetworkSample) -> (loss: Float, gradient: [Float]) {
    let losses = differentiate(count: 1) { _ in sample }
    return (losses[0], parameters.slopes)
  }

  /// The probabilities of rest and of each lag, [times, states], by the averaged weights.
  package func probabilities(_ planes: [Float]) -> [Float] {
    let times = planes.count / (specification.inputChannels * specification.lagCount)
    return passes[0].forward(planes, times: times, weights: averages)
  }

  /// Sums the gradients of a batch and gives the losses.
  private func differentiate(
    count: Int, sample: @Sendable (Int) -> PeriodNetworkSample
  ) -> [Float] {
    let weights = parameters.values
    let adjoints = (layout.convolutions + layout.overview).map { convolution in
      convolution.plan(times: 1, lags: specification.lagCount)
        .adjointWeights(parameters.weights.pointer + convolution.weights)
    }
    parameters.reserve(chunks: count)
    let losses = FloatMemory(count)
    workers.run(count) { task, worker in
      let (sample, pass) = (sample(task), passes[worker])
      let times = sample.periods.count
      precondition(
        sample.planes.count == specification.inputChannels * times * specification.lagCount,
        "the planes and the periods of a sample have different times")
      let probabilities = pass.forward(sample.planes, times: times, weights: weights)
      let (value, scores) = loss.evaluate(probabilities, sample)
      losses[task] = value
      pass.backward(
        sample.planes, scoreGradient: scores, weights: weights, adjoints: adjoints,
        into: parameters.part(task))
    }
    parameters.gather(chunks: count, workers)
    return losses.values
  }
}
