internal import CTrainingKernels
internal import Glibc
internal import KinemaRandom

/// From the last blob of frames to probabilities: the mean over points and frames, dropout, a
/// product, softmax; and the cross entropy with smoothed labels.
final class HeadStage {
  let classCount: Int
  /// [channels][classes].
  let weights: Int
  let bias: Int
  private let input: FrameBlob
  private let features: FloatMemory
  private let dropoutMask: FloatMemory
  private let logits: FloatMemory
  /// The probabilities of the present run, [samples][classes].
  let probabilities: FloatMemory
  private let gradients: FloatMemory
  private let biasSums: ChunkSums
  private let options: NetworkTrainingOptions
  private let context: TrainingContext
  var labels: [Int] = []
  /// The number of the present step, which decides what is dropped.
  var step: UInt64 = 0

  init(
    classCount: Int, input: FrameBlob, options: NetworkTrainingOptions,
    using generator: inout SeededGenerator, _ context: TrainingContext
  ) {
    self.classCount = classCount
    self.input = input
    self.options = options
    self.context = context
    weights = context.parameters.add(
      "head.weights", generator.uniform(input.channels * classCount, fanIn: input.channels),
      decays: true, isChunked: true)
    bias = context.parameters.add("head.bias", [Float](repeating: 0, count: classCount))
    features = FloatMemory(context.batchSize * input.channels)
    dropoutMask = FloatMemory(context.batchSize * input.channels)
    logits = FloatMemory(context.batchSize * classCount)
    probabilities = FloatMemory(context.batchSize * classCount)
    gradients = FloatMemory(context.batchSize * classCount)
    biasSums = ChunkSums(chunks: context.chunkCount, count: classCount)
  }

  func appendForward(to program: TrainingProgram) {
    program.chunks { [self] chunk in
      for sample in chunk.samples { pool(sample) }
      let first = chunk.samples.lowerBound
      TrainingProducts.multiplyThin(
        rows: chunk.samples.count, columns: classCount, depth: input.channels,
        Factor(features.pointer + first * input.channels, stride: input.channels),
        Factor(context.parameters.weights.pointer + weights, stride: classCount),
        into: logits.pointer + first * classCount, stride: classCount)
      for sample in chunk.samples { normalize(sample) }
    }
  }

  private func pool(_ sample: Int) {
    let row = features.pointer + sample * input.channels
    training_mean(
      input.sample(sample), Int64(input.rows), Int64(input.points), Int64(input.frames),
      Int64(input.channels), row)
    guard context.isTraining, options.dropout > 0 else { return }
    var generator = SeededGenerator(seed: options.seed, at: 1, step, UInt64(sample))
    let factor = 1 / (1 - options.dropout)
    for channel in 0..<input.channels {
      let mask = generator.unit() < options.dropout ? 0 : factor
      dropoutMask[sample * input.channels + channel] = mask
      row[channel] *= mask
    }
  }

  private func normalize(_ sample: Int) {
    let row = logits.pointer + sample * classCount
    let bias = context.parameters.weights.pointer + bias
    for index in 0..<classCount { row[index] += bias[index] }
    softmax(row, into: probabilities.pointer + sample * classCount, count: classCount)
  }

  /// The loss of a sample, −Σ qₖ log pₖ, with the share `smoothing` of q spread over all classes.
  func loss(_ sample: Int, smoothing: Double) -> Double {
    let row = logits.pointer + sample * classCount
    var greatest = -Double.infinity
    for index in 0..<classCount { greatest = max(greatest, Double(row[index])) }
    var sum = 0.0
    var mean = 0.0
    for index in 0..<classCount {
      sum += exp(Double(row[index]) - greatest)
      mean += Double(row[index]) / Double(classCount)
    }
    let target = (1 - smoothing) * Double(row[labels[sample]]) + smoothing * mean
    return log(sum) + greatest - target
  }

  /// Whether the greatest probability is the label's.
  func isCorrect(_ sample: Int) -> Bool {
    let row = logits.pointer + sample * classCount
    var best = 0
    for index in 1..<classCount where row[index] > row[best] { best = index }
    return best == labels[sample]
  }

  /// Makes the gradients of the weights and of the input's frames, of the mean loss.
  func appendBackward(to program: TrainingProgram, inputGradient: FrameBlob) {
    program.chunks { [self] chunk in
      let sums = biasSums.cleared(chunk.index)
      for sample in chunk.samples { differentiate(sample, sums) }
      let first = chunk.samples.lowerBound
      TrainingProducts.multiplyThin(
        rows: input.channels, columns: classCount, depth: chunk.samples.count,
        Factor(
          features.pointer + first * input.channels, stride: input.channels, isTransposed: true),
        Factor(gradients.pointer + first * classCount, stride: classCount),
        into: context.parameters.part(chunk.index, weights), stride: classCount)
      for sample in chunk.samples { propagate(sample, inputGradient) }
    }
    program.serial { [self] in
      for index in 0..<classCount {
        context.parameters.gradients[bias + index] = Float(
          biasSums.total(index, chunks: context.activeChunks))
      }
    }
  }

  private func differentiate(_ sample: Int, _ sums: UnsafeMutablePointer<Double>) {
    let share = 1 / Float(context.sampleCount)
    let spread = options.labelSmoothing / Float(classCount)
    for index in 0..<classCount {
      let target = (index == labels[sample] ? 1 - options.labelSmoothing : 0) + spread
      let gradient = (probabilities[sample * classCount + index] - target) * share
      gradients[sample * classCount + index] = gradient
      sums[index] += Double(gradient)
    }
  }

  private func propagate(_ sample: Int, _ inputGradient: FrameBlob) {
    let channels = input.channels
    let weights = context.parameters.weights.pointer + weights
    let share = 1 / Float(input.points * input.frames)
    let first = inputGradient.sample(sample)
    for channel in 0..<channels {
      var sum: Float = 0
      for index in 0..<classCount {
        sum += weights[channel * classCount + index] * gradients[sample * classCount + index]
      }
      if options.dropout > 0 { sum *= dropoutMask[sample * channels + channel] }
      first[channel] = sum * share
    }
    for sequence in 0..<input.points {
      for frame in 0..<input.frames where sequence + frame > 0 {
        (first + (sequence * inputGradient.rows + frame) * channels).update(
          from: first, count: channels)
      }
    }
  }
}
