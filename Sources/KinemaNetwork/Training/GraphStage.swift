internal import CTrainingKernels
internal import KinemaRandom

/// The spatial half of a block: sums over joints, a product over channels, normalisation, ReLU.
///
/// The product comes behind the sums, of which there are fewer channels; Create ML's order is the
/// same function, but for the bias b: what reaches a joint of it is Σₖ b[k]·(the sum of the
/// joint's factors of part k), which the normalisation adds.
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
  private let mixing: JointSums
  private let unmixing: JointSums
  private let jointSums: ChunkSums
  private let context: TrainingContext
  private var depth: Int { BodyGraph.partCount * inputChannels }

  init(
    _ name: String, input: FrameBlob, output: FrameBlob,
    using generator: inout SeededGenerator, _ context: TrainingContext
  ) {
    self.input = input
    self.output = output
    self.context = context
    inputChannels = input.channels
    channels = output.channels
    weights = context.parameters.add(
      name + ".weights",
      generator.uniform(
        BodyGraph.partCount * input.channels * output.channels, fanIn: input.channels),
      decays: true, isChunked: true)
    bias = context.parameters.add(
      name + ".bias", [Float](repeating: 0, count: BodyGraph.partCount * output.channels))
    normalization = TrainingNormalization(
      name + ".normalization", channels: output.channels, joints: input.joints, context)
    product = FrameBlob(
      samples: context.batchSize, joints: input.joints, frames: input.frames,
      channels: output.channels)
    mixing = .forward(sequence: input.rows * input.channels)
    unmixing = .backward(
      sequence: input.frames * BodyGraph.partCount * input.channels, channels: input.channels)
    jointSums = ChunkSums(chunks: context.chunkCount, count: input.joints * output.channels)
  }

  /// The rows of joints with all parts and of those without the last, and how deep they are.
  private var spans: [(start: Int, count: Int, depth: Int)] {
    let near = BodyGraph.nearCount * input.frames
    return [
      (0, near, depth), (near, input.joints * input.frames - near, depth - inputChannels),
    ]
  }

  /// A sample's sums over joints, [joints][frames][parts × channels], in the worker's memory.
  private func mix(_ sample: Int, _ worker: Int) -> UnsafeMutablePointer<Float> {
    let mixed = context.scratch[worker].memory(
      input.joints * input.frames * depth + 64, of: Float.self)
    training_mix(
      input.sample(sample), Int64(inputChannels), mixing.offsets, mixing.weights, mixing.starts,
      Int64(mixing.starts.count - 1), mixed, Int64(input.frames * depth), Int64(depth),
      Int64(BodyGraph.partCount), Int64(input.frames), Int64(inputChannels))
    return mixed
  }

  /// What the bias adds to each joint.
  private func spreadBias() {
    let bias = context.parameters.weights.pointer + bias
    for joint in 0..<input.joints {
      for channel in 0..<channels {
        var sum: Float = 0
        for part in 0..<BodyGraph.partCount {
          sum += Self.share(joint, part) * bias[part * channels + channel]
        }
        normalization.bias[joint * channels + channel] = sum
      }
    }
  }

  private static let shares: [Float] = (0..<(BodyGraph.jointCount * BodyGraph.partCount)).map {
    let (joints, factor) = BodyGraph.placedSources(
      $0 / BodyGraph.partCount, part: $0 % BodyGraph.partCount)
    return Float(joints.count) * factor
  }

  private static func share(_ joint: Int, _ part: Int) -> Float {
    shares[joint * BodyGraph.partCount + part]
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
      normalization.finishForward(valueCount: input.joints * input.frames)
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
      normalization.finishBackward(valueCount: input.joints * input.frames)
    }
    program.chunks { [self] chunk in
      normalization.propagate(chunk, outputGradient, replacing: product, sums: jointSums)
      for sample in chunk.samples { propagate(sample, chunk, inputGradient) }
    }
    program.serial { [self] in finishBias() }
  }

  private func propagate(_ sample: Int, _ chunk: Chunk, _ inputGradient: FrameBlob) {
    let rows = input.joints * input.frames
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
      rows: inputChannels, columns: channels, depth: spans[0].count,
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
      Int64(input.joints), inputGradient.sample(sample),
      Int64(inputGradient.rows * inputChannels), Int64(inputChannels), 1, Int64(input.frames),
      Int64(inputChannels))
  }

  private func finishBias() {
    let gradient = context.parameters.gradients.pointer + bias
    for channel in 0..<channels {
      for part in 0..<BodyGraph.partCount {
        var sum = 0.0
        for joint in 0..<input.joints {
          sum +=
            Double(Self.share(joint, part))
            * jointSums.total(joint * channels + channel, chunks: context.activeChunks)
        }
        gradient[part * channels + channel] = Float(sum)
      }
    }
  }
}
