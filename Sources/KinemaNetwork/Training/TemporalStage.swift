internal import CTrainingKernels

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

  let convolution: TemporalConvolution
  let normalization: TrainingNormalization
  /// The weights of the residual's product, [input channels][channels], and what follows it.
  private(set) var projection: (weights: Int, normalization: TrainingNormalization)?
  private let residual: Residual
  private let input: FrameBlob
  private let result: FrameBlob
  private let projected: FrameBlob?
  private let output: FrameBlob
  private let context: TrainingContext
  private var stride: Int { convolution.sizes.stride }

  init(
    _ name: String, _ sizes: TemporalConvolution.Sizes, transforms: Bool, input: FrameBlob,
    residual: Residual, output: FrameBlob, using generator: inout CounterGenerator,
    _ context: TrainingContext
  ) {
    self.input = input
    self.output = output
    self.residual = residual
    self.context = context
    convolution = TemporalConvolution(
      name + ".temporal", sizes, transforms: transforms, using: &generator, context)
    normalization = TrainingNormalization(
      name + ".temporal.normalization", channels: sizes.outputChannels, context)
    result = FrameBlob(
      samples: context.batchSize, joints: input.joints, frames: sizes.outputFrames,
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
      samples: context.batchSize, joints: source.joints, frames: sizes.outputFrames,
      rows: source.rows / sizes.stride, channels: sizes.outputChannels)
  }

  private var valueCount: Int { output.joints * output.frames }

  func appendForward(to program: TrainingProgram) {
    convolution.appendForward(to: program, input, result)
    program.chunks { [self] chunk in
      normalization.measure(chunk, result)
      guard case .projected(let source) = residual, let projected, let projection else { return }
      context.products.multiply(
        rows: projectedRows(chunk, projected), columns: projected.channels,
        depth: source.channels,
        Factor(source.sample(chunk.samples.lowerBound), stride: stride * source.channels),
        Factor(
          context.parameters.weights.pointer + projection.weights, stride: projected.channels),
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
      let first = chunk.samples.lowerBound
      var other: FrameBlob?
      if case .identity(let source) = residual { other = source }
      if let projected { other = projected }
      training_normalize(
        result.sample(first), Int64(result.rows), normalization.scale.pointer,
        normalization.shift.pointer, 1, other?.sample(first), Int64(other?.rows ?? 0),
        projection?.normalization.scale.pointer, output.sample(first), Int64(output.rows),
        Int64(chunk.samples.count * output.joints), Int64(output.frames), Int64(output.channels))
    }
  }

  /// Makes the gradients of the weights and of the convolution's input; the output's gradient
  /// becomes that before the ReLU.
  func appendBackward(
    to program: TrainingProgram, outputGradient: FrameBlob, inputGradient: FrameBlob
  ) {
    program.chunks { [self] chunk in
      let first = chunk.samples.lowerBound
      training_rectified_sums(
        outputGradient.sample(first), Int64(outputGradient.rows), output.sample(first),
        Int64(output.rows), result.sample(first), Int64(result.rows),
        normalization.center.pointer, 1, projected?.sample(first), Int64(projected?.rows ?? 0),
        projection?.normalization.center.pointer, Int64(chunk.samples.count * output.joints),
        Int64(output.frames), Int64(output.channels), normalization.sums.cleared(chunk.index))
    }
    program.serial { [self] in
      normalization.finishBackward(valueCount: valueCount, from: normalization.sums, row: 1)
      projection?.normalization.finishBackward(
        valueCount: valueCount, from: normalization.sums, row: 2)
    }
    program.chunks { [self] chunk in
      combine(chunk, outputGradient, normalization, result)
      guard case .projected(let source) = residual, let projected, let projection else { return }
      combine(chunk, outputGradient, projection.normalization, projected)
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
          Int64(inputGradient.rows), Int64(chunk.samples.count * inputGradient.joints),
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

  /// The gradient before a normalisation, in place of what was normalised.
  private func combine(
    _ chunk: Chunk, _ outputGradient: FrameBlob, _ normalization: TrainingNormalization,
    _ blob: FrameBlob
  ) {
    let first = chunk.samples.lowerBound
    training_combine(
      outputGradient.sample(first), Int64(outputGradient.rows),
      normalization.gradientScale.pointer, blob.sample(first), Int64(blob.rows),
      normalization.inputScale.pointer, normalization.gradientShift.pointer, 1,
      blob.sample(first), Int64(blob.rows), Int64(chunk.samples.count * output.joints),
      Int64(output.frames), Int64(output.channels), nil)
  }

  private func projectedRows(_ chunk: Chunk, _ projected: FrameBlob) -> Int {
    chunk.samples.count * projected.joints * projected.rows
  }
}
