internal import CTrainingKernels

/// A batch normalisation in training: y = γ · (x + b − μ) / √(σ² + ε) + β (Ioffe and Szegedy,
/// *Batch Normalization*, ICML 2015), where b, the bias of what comes before, may differ by point.
final class TrainingNormalization {
  static let epsilon = 1e-5
  /// How far the running statistics go towards a batch's.
  static let momentum: Float = 0.1

  let channels: Int
  let points: Int
  let gamma: Int
  let beta: Int
  /// b, [points][channels].
  let bias: FloatMemory
  let runningMean: FloatMemory
  let runningVariance: FloatMemory

  /// y = x·scale + shift; shift is [points][channels].
  let scale: FloatMemory
  let shift: FloatMemory
  /// μ − b, [points][channels].
  let center: FloatMemory
  /// The gradient of x from that of y: dx = dy·gradientScale + x·inputScale + gradientShift.
  let gradientScale: FloatMemory
  let inputScale: FloatMemory
  let gradientShift: FloatMemory
  /// Σx and Σx², or Σdy, Σdy·(x − μ) and what else is summed along.
  let sums: ChunkSums
  private var means: [Double]
  private var inverses: [Double]
  /// The batch's unbiased variances.
  private var variances: [Double]
  private let context: TrainingContext

  init(_ name: String, channels: Int, points: Int = 1, _ context: TrainingContext) {
    self.channels = channels
    self.points = points
    self.context = context
    let parameters = context.parameters
    gamma = parameters.add(name + ".gamma", [Float](repeating: 1, count: channels))
    beta = parameters.add(name + ".beta", [Float](repeating: 0, count: channels))
    bias = FloatMemory(points * channels)
    runningMean = FloatMemory(channels)
    runningVariance = FloatMemory(channels)
    for channel in 0..<channels { runningVariance[channel] = 1 }
    scale = FloatMemory(channels)
    shift = FloatMemory(points * channels)
    center = FloatMemory(points * channels)
    gradientScale = FloatMemory(channels)
    inputScale = FloatMemory(channels)
    gradientShift = FloatMemory(points * channels)
    sums = ChunkSums(chunks: context.chunkCount, count: 3 * channels)
    means = [Double](repeating: 0, count: channels)
    inverses = [Double](repeating: 0, count: channels)
    variances = [Double](repeating: 0, count: channels)
    context.normalizations.append(self)
  }

  func measure(_ chunk: Chunk, _ blob: FrameBlob) {
    guard context.isTraining else { return }
    training_statistics(
      blob.sample(chunk.samples.lowerBound), Int64(blob.rows), bias.pointer, Int64(points),
      chunk.sequences(blob), Int64(blob.frames), Int64(channels),
      sums.cleared(chunk.index))
  }

  /// Makes scale and shift, of `valueCount` values a sample and channel.
  func finishForward(valueCount: Int) {
    let weights = context.parameters.weights
    let count = Double(valueCount * context.sampleCount)
    for channel in 0..<channels {
      var mean = Double(runningMean[channel])
      var variance = Double(runningVariance[channel])
      if context.isTraining {
        mean = sums.total(channel, chunks: context.activeChunks) / count
        let squares = sums.total(channels + channel, chunks: context.activeChunks) / count
        variance = max(0, squares - mean * mean)
        variances[channel] = count > 1 ? variance * count / (count - 1) : variance
      }
      let inverse = 1 / (variance + Self.epsilon).squareRoot()
      let factor = Double(weights[gamma + channel]) * inverse
      means[channel] = mean
      inverses[channel] = inverse
      scale[channel] = Float(factor)
      for point in 0..<points {
        let place = point * channels + channel
        let middle = mean - Double(bias[place])
        center[place] = Float(middle)
        shift[place] = Float(Double(weights[beta + channel]) - factor * middle)
      }
    }
  }

  /// y = relu(x·scale + shift + residual), where another normalisation may scale the residual; its
  /// shift is in this one's.
  func apply(
    _ chunk: Chunk, _ x: FrameBlob, residual: FrameBlob? = nil,
    scaledBy other: TrainingNormalization? = nil, into y: FrameBlob
  ) {
    let first = chunk.samples.lowerBound
    training_normalize(
      x.sample(first), Int64(x.rows), scale.pointer, shift.pointer, Int64(points),
      residual?.sample(first), Int64(residual?.rows ?? 0), other?.scale.pointer, y.sample(first),
      Int64(y.rows), chunk.sequences(y), Int64(y.frames), Int64(channels))
  }

  /// Lets the running statistics follow those of the batch.
  func followBatch(_ momentum: Float = TrainingNormalization.momentum) {
    for channel in 0..<channels {
      runningMean[channel] += momentum * (Float(means[channel]) - runningMean[channel])
      runningVariance[channel] +=
        momentum * (Float(variances[channel]) - runningVariance[channel])
    }
  }

  /// Sets the gradient dy to 0 where y is, and sums what ``finishBackward(valueCount:from:row:)``
  /// takes: for x, and for the residual with its own normalisation.
  func sumGradients(
    _ chunk: Chunk, _ gradient: FrameBlob, y: FrameBlob? = nil, x: FrameBlob,
    residual: FrameBlob? = nil, normalizedBy other: TrainingNormalization? = nil
  ) {
    let first = chunk.samples.lowerBound
    training_rectified_sums(
      gradient.sample(first), Int64(gradient.rows), y?.sample(first), Int64(y?.rows ?? 0),
      x.sample(first), Int64(x.rows), center.pointer, Int64(points), residual?.sample(first),
      Int64(residual?.rows ?? 0), other?.center.pointer, chunk.sequences(x), Int64(x.frames),
      Int64(channels), sums.cleared(chunk.index))
  }

  /// The gradient of x from that of y, in place of x; sums it over the frames if requested.
  func propagate(
    _ chunk: Chunk, _ gradient: FrameBlob, replacing x: FrameBlob, sums: ChunkSums? = nil
  ) {
    let first = chunk.samples.lowerBound
    training_combine(
      gradient.sample(first), Int64(gradient.rows), gradientScale.pointer, x.sample(first),
      Int64(x.rows), inputScale.pointer, gradientShift.pointer, Int64(points), x.sample(first),
      Int64(x.rows), chunk.sequences(x), Int64(x.frames), Int64(channels),
      sums?.cleared(chunk.index))
  }

  /// Makes the gradients of γ and β and the factors of that of x, from the sums of `source`: Σdy,
  /// and Σdy·(x − μ) in row `row`.
  func finishBackward(valueCount: Int, from source: ChunkSums? = nil, row: Int = 1) {
    let source = source ?? sums
    let weights = context.parameters.weights
    let gradients = context.parameters.gradients
    let count = Double(valueCount * context.sampleCount)
    for channel in 0..<channels {
      let sum = source.total(channel, chunks: context.activeChunks)
      let product = source.total(row * channels + channel, chunks: context.activeChunks)
      let inverse = inverses[channel]
      gradients[beta + channel] = Float(sum)
      gradients[gamma + channel] = Float(product * inverse)
      let factor = Double(weights[gamma + channel]) * inverse
      let slope = -factor * inverse * inverse * product / count
      gradientScale[channel] = Float(factor)
      inputScale[channel] = Float(slope)
      for point in 0..<points {
        let middle = means[channel] - Double(bias[point * channels + channel])
        gradientShift[point * channels + channel] = Float(-factor * sum / count - slope * middle)
      }
    }
  }
}
