internal import CTrainingKernels
internal import KinemaRandom

/// The spatial half of a block: sums over points, a product over channels, normalisation, ReLU.
///
/// The product comes behind the sums, of which there are fewer channels; the order of the exported
/// layers is the same function, but for the bias b: what reaches a point of it is Σₖ b[k]·(the sum of
/// the point's factors of part k), which the normalisation adds.
final class GraphStage {
  let inputChannels: Int
  let channels: Int
  /// [parts × input channels][channels].
  let weights: Int
  /// [parts][channels].
  let bias: Int
  let normalization: TrainingNormalization
  private let input: FrameBlob
  private let product: FrameBlob
  private let output: FrameBlob
  private let mixing: PointSums
  private let unmixing: PointSums
  private let pointSums: ChunkSums
  private let context: TrainingContext
  private let graph: PointGraph
  /// What reaches each point of a part's bias, [points][parts].
  private let shares: [Float]
  private var depth: Int { graph.partCount * inputChannels }

  init(
    _ name: String, _ graph: PointGraph, input: FrameBlob, output: FrameBlob,
    using generator: inout SeededGenerator, _ context: TrainingContext
  ) {
    self.input = input
    self.output = output
    self.context = context
    self.graph = graph
    shares = graph.shares
    inputChannels = input.channels
    channels = output.channels
    weights = context.parameters.add(
      name + ".weights",
      generator.uniform(
        graph.partCount * input.channels * output.channels, fanIn: input.channels),
      decays: true, isChunked: true)
    bias = context.parameters.add(
      name + ".bias", [Float](repeating: 0, count: graph.partCount * output.channels))
    normalization = TrainingNormalization(
      name + ".normalization", channels: output.channels, points: input.points, context)
    product = FrameBlob(
      samples: context.batchSize, points: input.points, frames: input.frames,
      channels: output.channels)
    mixing = .forward(graph, sequence: input.rows * input.channels)
    unmixing = .backward(
      graph, sequence: input.frames * graph.partCount * input.channels, channels: input.channels)
    pointSums = ChunkSums(chunks: context.chunkCount, count: input.points * output.channels)
  }

  /// The rows of points with all parts.
  private var nearRows: Int { graph.nearCount * input.frames }

  /// The rows of points with all parts and of those without the last, and how deep they are.
  private var spans: [(start: Int, count: Int, depth: Int)] {
    [
      (0, nearRows, depth),
      (nearRows, input.points * input.frames - nearRows, depth - inputChannels),
    ].filter { $0.1 > 0 }
  }

  /// A sample's sums over points, [points][frames][parts × channels], in the worker's memory.
  private func mix(_ sample: Int, _ worker: Int) -> UnsafeMutablePointer<Float> {
    let mixed = context.scratch[worker].memory(
      input.points * input.frames * depth + 64, of: Float.self)
    training_mix(
      input.sample(sample), Int64(inputChannels), mixing.offsets, mixing.weights, mixing.starts,
      Int64(mixing.starts.count - 1), mixed, Int64(input.frames * depth), Int64(depth),
      Int64(graph.partCount), Int64(input.frames), Int64(inputChannels))
    return mixed
  }

  /// What the bias adds to each point.
  private func spreadBias() {
    let bias = context.parameters.weights.pointer + bias
    for point in 0..<input.points {
      for channel in 0..<channels {
        var sum: Float = 0
        for part in 0..<graph.partCount {
          sum += shares[point * graph.partCount + part] * bias[part * channels + channel]
        }
        normalization.bias[point * channels + channel] = sum
      }
    }
  }

  func appendForward(to program: TrainingProgram) {
    context.preparations.append((1, { [unowned self] _, _ in spreadBias() }))
    program.chunks { [self] chunk in
      for sample in chunk.samples {
        let mixed = mix(sample, chunk.worker)
        for (start, count, depth) in spans {
          context.products.multiply(
            rows: count, columns: channels, depth: depth,
            Factor(mixed + start * self.depth, stride: self.depth),
            Factor(context.parameters.weights.pointer + weights, stride: channels),
            into: product.sample(sample) + start * channels, stride: channels,
            worker: chunk.worker)
        }
      }
      normalization.measure(chunk, product)
    }
    program.serial { [self] in
      normalization.finishForward(valueCount: input.points * input.frames)
    }
    program.chunks { [self] chunk in
      normalization.apply(chunk, product, into: output)
    }
  }

  /// Makes the gradients of the weights and of the input, which it overwrites.
  func appendBackward(
    to program: TrainingProgram, outputGradient: FrameBlob, inputGradient: FrameBlob
  ) {
    program.chunks { [self] chunk in
      normalization.sumGradients(chunk, outputGradient, y: output, x: product)
    }
    program.serial { [self] in
      normalization.finishBackward(valueCount: input.points * input.frames)
    }
    program.chunks { [self] chunk in
      normalization.propagate(chunk, outputGradient, replacing: product, sums: pointSums)
      for sample in chunk.samples { propagate(sample, chunk, inputGradient) }
    }
    program.serial { [self] in finishBias() }
  }

  private func propagate(_ sample: Int, _ chunk: Chunk, _ inputGradient: FrameBlob) {
    let rows = input.points * input.frames
    let mixed = mix(sample, chunk.worker)
    let gradient = Factor(product.sample(sample), stride: channels)
    let part = context.parameters.part(chunk.index, weights)
    let common = depth - inputChannels
    let isFirst = sample == chunk.samples.lowerBound
    context.products.multiply(
      rows: common, columns: channels, depth: rows,
      Factor(mixed, stride: depth, isTransposed: true), gradient, into: part, stride: channels,
      accumulates: !isFirst, worker: chunk.worker)
    context.products.multiply(
      rows: inputChannels, columns: channels, depth: nearRows,
      Factor(mixed + common, stride: depth, isTransposed: true), gradient,
      into: part + common * channels, stride: channels, accumulates: !isFirst,
      worker: chunk.worker)
    for (start, count, columns) in spans {
      context.products.multiply(
        rows: count, columns: columns, depth: channels,
        Factor(product.sample(sample) + start * channels, stride: channels),
        Factor(context.parameters.weights.pointer + weights, stride: channels, isTransposed: true),
        into: mixed + start * depth, stride: depth, worker: chunk.worker)
    }
    training_mix(
      mixed, Int64(depth), unmixing.offsets, unmixing.weights, unmixing.starts,
      Int64(input.points), inputGradient.sample(sample),
      Int64(inputGradient.rows * inputChannels), Int64(inputChannels), 1, Int64(input.frames),
      Int64(inputChannels))
  }

  private func finishBias() {
    let gradient = context.parameters.gradients.pointer + bias
    for channel in 0..<channels {
      for part in 0..<graph.partCount {
        var sum = 0.0
        for point in 0..<input.points {
          sum +=
            Double(shares[point * graph.partCount + part])
            * pointSums.total(point * channels + channel, chunks: context.activeChunks)
        }
        gradient[part * channels + channel] = Float(sum)
      }
    }
  }
}
