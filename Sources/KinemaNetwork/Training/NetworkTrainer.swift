/// Trains a network: forward, backward and AdamW, in memory made once.
///
/// The same seed, options and data give the same bits, whatever the number of threads. A trainer
/// serves one thread at a time.
package final class NetworkTrainer: @unchecked Sendable {
  package let specification: TrainableNetworkSpecification
  package let options: NetworkTrainingOptions
  let model: TrainingModel
  package internal(set) var stepCount = 0
  /// The weights after some steps, summed, and how many these are.
  var weightSum: (values: [Double], count: Int) = ([], 0)

  /// Creates a network with weights drawn from the options' seed; throws ``NetworkError`` for a
  /// specification or options that cannot be, and for bfloat16 on a processor without it.
  package convenience init(
    _ specification: TrainableNetworkSpecification, options: NetworkTrainingOptions
  ) throws {
    try self.init(specification, options: options, plan: .standard(specification.architecture))
  }

  /// Creates a network of other blocks than those of its architecture.
  package init(
    _ specification: TrainableNetworkSpecification, options: NetworkTrainingOptions,
    plan: TrainingPlan
  ) throws {
    try specification.check()
    try options.check()
    self.specification = specification
    self.options = options
    model = TrainingModel(specification, plan: plan, options: options)
  }

  private var windowCount: Int { specification.windowSize * specification.featureCount }

  private func check(_ windows: [Float], _ labels: [Int]? = nil) throws -> Int {
    guard windows.count % windowCount == 0 else {
      throw NetworkError(
        .shape, "\(windows.count) values are no whole number of windows of \(windowCount)")
    }
    let count = windows.count / windowCount
    if let labels {
      guard labels.count == count else {
        throw NetworkError(.shape, "\(count) windows came with \(labels.count) labels")
      }
      guard labels.allSatisfy((0..<specification.classCount).contains) else {
        throw NetworkError(
          .parameters, "a label is not within 0 to \(specification.classCount - 1)")
      }
    }
    return count
  }

  // MARK: - Training

  /// One step over a batch.
  ///
  /// - Parameters:
  ///   - windows: 1 to `batchSize` windows, [n, window size, 3, points].
  ///   - labels: The class of each.
  /// - Returns: The mean loss of the batch before the step, smoothing and dropout included, and
  ///   how many windows were classified correctly.
  /// - Throws: ``NetworkError`` where the batch does not fit, or where its loss is not a number;
  ///   nothing is changed then.
  package func step(
    windows: [Float], labels: [Int], learningRate: Float
  ) throws -> (loss: Float, correctCount: Int) {
    let result = try differentiate(windows: windows, labels: labels, updatesStatistics: true)
    stepCount += 1
    model.context.parameters.update(
      options.optimizer, step: stepCount, learningRate: learningRate,
      bodyFactor: options.bodyFactor, model.context.workers)
    return result
  }

  private func differentiate(
    windows: [Float], labels: [Int], updatesStatistics: Bool
  ) throws -> (loss: Float, correctCount: Int) {
    let count = try runForward(windows: windows, labels: labels)
    let loss = sumOfLosses(count, smoothing: Double(options.labelSmoothing)) / Double(count)
    guard loss.isFinite else {
      throw NetworkError(.limit, "the loss is no longer a number; take a lower learning rate")
    }
    if updatesStatistics {
      for normalization in model.context.normalizations { normalization.followBatch() }
    }
    model.runBackward()
    return (Float(loss), (0..<count).count { model.head.isCorrect($0) })
  }

  /// Runs a batch forward as in training; returns the number of windows.
  private func runForward(windows: [Float], labels: [Int]) throws -> Int {
    let count = try check(windows, labels)
    guard (1...options.batchSize).contains(count) else {
      throw NetworkError(.shape, "a step takes 1 to \(options.batchSize) windows, not \(count)")
    }
    model.context.isTraining = true
    model.head.labels = labels
    model.head.step = UInt64(stepCount)
    windows.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      model.runForward(base, samples: count)
    }
    return count
  }

  private func sumOfLosses(_ count: Int, smoothing: Double) -> Double {
    (0..<count).reduce(0) { $0 + model.head.loss($1, smoothing: smoothing) }
  }

  // MARK: - Mean weights

  /// Adds the weights to those of which ``takeMeanWeights()`` takes the mean.
  ///
  /// The mean over steps at a steady learning rate lies in the middle of the weights that fit the
  /// training data, and fits other data better than each of them (Izmailov et al., *Averaging Weights
  /// Leads to Wider Optima and Better Generalization*, UAI 2018; for data of another kind, Cha et al.,
  /// *SWAD*, NeurIPS 2021).
  package func addWeightsToMean() {
    let weights = model.context.parameters.weights
    if weightSum.values.isEmpty {
      weightSum.values = [Double](repeating: 0, count: weights.count)
    }
    for index in 0..<weights.count { weightSum.values[index] += Double(weights[index]) }
    weightSum.count += 1
  }

  /// Replaces the weights by the mean of those that were added, which are forgotten.
  ///
  /// The running statistics are those of other weights until ``measure(_:after:)``.
  ///
  /// - Returns: Whether there were any.
  package func takeMeanWeights() -> Bool {
    guard weightSum.count > 0 else { return false }
    let count = Double(weightSum.count)
    weights = weightSum.values.map { Float($0 / count) }
    weightSum = ([], 0)
    return true
  }

  /// Makes the running statistics the mean of those of batches, one after another.
  ///
  /// - Parameters:
  ///   - windows: 1 to `batchSize` windows, [n, window size, 3, points].
  ///   - batchCount: How many batches were measured before.
  /// - Throws: ``NetworkError`` where the batch does not fit.
  package func measure(_ windows: [Float], after batchCount: Int) throws {
    // The statistics are those of layers before the labels.
    let labels = [Int](repeating: 0, count: try check(windows))
    _ = try runForward(windows: windows, labels: labels)
    for normalization in model.context.normalizations {
      normalization.followBatch(1 / Float(batchCount + 1))
    }
  }

  // MARK: - Evaluation

  /// The probabilities of windows, [n, classes], by the running statistics, without dropout; throws
  /// ``NetworkError`` where the values are no whole number of windows.
  package func probabilities(of windows: [Float]) throws -> [Float] {
    var result: [Float] = []
    try evaluate(windows) { range in
      result += UnsafeBufferPointer(
        start: model.head.probabilities.pointer, count: range.count * specification.classCount)
    }
    return result
  }

  /// The mean cross entropy of windows, without smoothing, and how many are classified correctly, by
  /// the running statistics and without dropout.
  ///
  /// - Throws: ``NetworkError`` where windows and labels do not fit.
  package func loss(
    of windows: [Float], labels: [Int]
  ) throws -> (loss: Float, correctCount: Int) {
    let count = try check(windows, labels)
    var loss = 0.0
    var correct = 0
    try evaluate(windows) { range in
      model.head.labels = Array(labels[range])
      loss += sumOfLosses(range.count, smoothing: 0)
      correct += (0..<range.count).count { model.head.isCorrect($0) }
    }
    return (count == 0 ? 0 : Float(loss / Double(count)), correct)
  }

  private func evaluate(_ windows: [Float], _ body: (Range<Int>) -> Void) throws {
    let count = try check(windows)
    model.context.isTraining = false
    windows.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for start in stride(from: 0, to: count, by: options.batchSize) {
        let end = min(start + options.batchSize, count)
        model.runForward(base + start * windowCount, samples: end - start)
        body(start..<end)
      }
    }
  }

  // MARK: - Weights

  package var tensors: [TrainingTensor] { model.context.parameters.tensors }

  /// All weights; a few between the tensors are always 0.
  package var weights: [Float] {
    get { model.context.parameters.values }
    set { model.context.parameters.values = newValue }
  }

  /// The gradient of a batch's mean loss by each of the weights; changes neither them nor the
  /// running statistics; throws ``NetworkError`` where the batch does not fit.
  package func gradients(windows: [Float], labels: [Int]) throws -> [Float] {
    _ = try differentiate(windows: windows, labels: labels, updatesStatistics: false)
    return model.context.parameters.slopes
  }
}
