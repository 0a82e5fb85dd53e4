internal import CTrainingKernels
internal import KinemaRandom

/// The temporal half of a block: convolution over time, normalisation, residual, ReLU.
final class TemporalStage {
  /// What is added before the ReLU.
  enum Residual {
    case none
    /// The block's input.
    case identity(FrameBlob)
    /// The block's input, every `stride`-th frame through a product over channels and a
    /// normalisation.
    case projected(FrameBlob)
  }

  let sizes: TemporalSizes
  /// The convolution's weights, [taps][input channels][output channels].
  let weights: Int
  private let convolution: any TemporalConvolution
  let normalization: TrainingNormalization
  /// The weights of the residual's product, [input channels][channels], and what follows it.
  private(set) var projection: (weights: Int, normalization: TrainingNormalization)?
  private let residual: Residual
  private let input: FrameBlob
  private let result: FrameBlob
  private let projected: FrameBlob?
  private let output: FrameBlob
  private let context: TrainingContext
  private var stride: Int { sizes.stride }

  init(
    _ name: String, _ sizes: TemporalSizes, transforms: Bool, input: FrameBlob,
    residual: Residual, output: FrameBlob, using generator: inout SeededGenerator,
    _ context: TrainingContext
  ) {
    self.input = input
    self.output = output
    self.residual = residual
    self.context = context
    self.sizes = sizes
    weights = context.parameters.add(
      name + ".temporal.weights",
      generator.uniform(sizes.weightCount, fanIn: sizes.taps * sizes.inputChannels),
      decays: true, isChunked: !transforms)
    convolution =
      transforms
      ? TransformedConvolution(sizes, weights: weights, context)
      : DirectConvolution(sizes, weights: weights, context)
    normalization = TrainingNormalization(
      name + ".temporal.normalization", channels: sizes.outputChannels, context)
    result = FrameBlob(
      samples: context.batchSize, points: input.points, frames: sizes.outputFrames,
      rows: sizes.outputRows, frontRows: sizes.outputPadding, channels: sizes.outputChannels)
    guard case .projected(let source) = residual else {
      projected = nil
      return
    }
    projection = (
      context.parameters.add(
        name + ".residual.weights",
        generator.uniform(source.channels * sizes.outputChannels, fanIn: source.channels),
        decays: true, isChunked: true),
      TrainingNormalization(
        name + ".residual.normalization", channels: sizes.outputChannels, context)
    )
    projected = FrameBlob(
      samples: context.batchSize, points: source.points, frames: sizes.outputFrames,
      rows: source.rows / sizes.stride, channels: sizes.outputChannels)
  }

  private var valueCount: Int { output.points * output.frames }

  func appendForward(to program: TrainingProgram) {
    convolution.appendForward(to: program, input, result)
    program.chunks { [self] chunk in
      normalization.measure(chunk, result)
      guard case .projected(let source) = residual, let projected, let projection else { return }
      context.products.multiply(
        rows: projectedRows(chunk, projected), columns: projected.channels,
        depth: source.channels,
        Factor(source.sample(chunk.samples.lowerBound), stride: stride * source.channels),
        Factor(context.parameters.weights.pointer + projection.weights, stride: projected.channels),
        into: projected.sample(chunk.samples.lowerBound), stride: projected.channels,
        worker: chunk.worker)
      projection.normalization.measure(chunk, projected)
    }
    program.serial { [self] in
      normalization.finishForward(valueCount: valueCount)
      guard let other = projection?.normalization else { return }
      other.finishForward(valueCount: valueCount)
      for channel in 0..<normalization.channels {
        normalization.shift[channel] += other.shift[channel]
      }
    }
    program.chunks { [self] chunk in
      var other = projected
      if case .identity(let source) = residual { other = source }
      normalization.apply(
        chunk, result, residual: other, scaledBy: projection?.normalization, into: output)
    }
  }

  /// Makes the gradients of the weights and of the convolution's input; the output's gradient
  /// becomes that before the ReLU.
  func appendBackward(
    to program: TrainingProgram, outputGradient: FrameBlob, inputGradient: FrameBlob
  ) {
    program.chunks { [self] chunk in
      normalization.sumGradients(
        chunk, outputGradient, y: output, x: result, residual: projected,
        normalizedBy: projection?.normalization)
    }
    program.serial { [self] in
      normalization.finishBackward(valueCount: valueCount)
      projection?.normalization.finishBackward(
        valueCount: valueCount, from: normalization.sums, row: 2)
    }
    program.chunks { [self] chunk in
      normalization.propagate(chunk, outputGradient, replacing: result)
      guard case .projected(let source) = residual, let projected, let projection else { return }
      projection.normalization.propagate(chunk, outputGradient, replacing: projected)
      context.products.multiply(
        rows: source.channels, columns: projected.channels,
        depth: projectedRows(chunk, projected),
        Factor(
          source.sample(chunk.samples.lowerBound), stride: stride * source.channels,
          isTransposed: true),
        Factor(projected.sample(chunk.samples.lowerBound), stride: projected.channels),
        into: context.parameters.part(chunk.index, projection.weights),
        stride: projected.channels, worker: chunk.worker)
    }
    convolution.appendBackward(to: program, input, result, inputGradient)
  }

  /// Adds what reaches the block's input past the convolution.
  func appendResidualBackward(
    to program: TrainingProgram, outputGradient: FrameBlob, inputGradient: FrameBlob
  ) {
    switch residual {
    case .none: return
    case .identity:
      program.chunks { chunk in
        let first = chunk.samples.lowerBound
        training_add(
          outputGradient.sample(first), Int64(outputGradient.rows), inputGradient.sample(first),
          Int64(inputGradient.rows), chunk.sequences(inputGradient),
          Int64(inputGradient.frames), Int64(inputGradient.channels))
      }
    case .projected(let source):
      guard let projected, let projection else { return }
      program.chunks { [self] chunk in
        context.products.multiply(
          rows: projectedRows(chunk, projected), columns: source.channels,
          depth: projected.channels,
          Factor(projected.sample(chunk.samples.lowerBound), stride: projected.channels),
          Factor(
            context.parameters.weights.pointer + projection.weights, stride: projected.channels,
            isTransposed: true),
          into: inputGradient.sample(chunk.samples.lowerBound), stride: stride * source.channels,
          accumulates: true, worker: chunk.worker)
      }
    }
  }

  private func projectedRows(_ chunk: Chunk, _ projected: FrameBlob) -> Int {
    chunk.samples.count * projected.points * projected.rows
  }
}
