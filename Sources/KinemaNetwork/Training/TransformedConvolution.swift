/// A convolution in its transform domain: see ``TemporalTransform``.
///
/// Long sequences are cut into tiles of frames. The transforms of all tiles, [phase][rank][tiles of
/// all sequences][channels], are stored for the weights' gradient.
final class TransformedConvolution: TemporalConvolution {
  private let sizes: TemporalSizes
  private let weights: Int
  private let context: TrainingContext
  private let transform: TemporalTransform
  private let tilesPerSequence: Int
  private let rank: Int
  /// The weights' transform, [phase][rank][input channels][output channels].
  private let weightTransform: FloatMemory
  private let weightStride: Int

  /// The frames of the longest sequence that stays whole, and of a tile of longer ones.
  private static let longestTile = (whole: 40, part: 30)

  init(_ sizes: TemporalSizes, weights: Int, _ context: TrainingContext) {
    self.sizes = sizes
    self.weights = weights
    self.context = context
    let frames = sizes.outputFrames
    if frames <= Self.longestTile.whole {
      tilesPerSequence = 1
      transform = TemporalTransform(
        frames: frames, taps: sizes.phaseTaps, padding: sizes.outputPadding)
    } else {
      tilesPerSequence = (frames + Self.longestTile.part - 1) / Self.longestTile.part
      transform = TemporalTransform(
        frames: (frames + tilesPerSequence - 1) / tilesPerSequence, taps: sizes.phaseTaps,
        padding: 0)
    }
    rank = transform.rank
    // Apart by no power of two, which would crowd a few sets of the cache.
    weightStride = sizes.inputChannels * sizes.outputChannels + 80
    weightTransform = FloatMemory(sizes.stride * rank * weightStride)
    context.preparations.append(
      (Self.rangeCount, { [weak self] task, _ in self?.transformWeights(task) }))
  }

  // MARK: - Weights

  /// The parts in which the weights are transformed.
  private static let rangeCount = 16

  private func weightRange(_ task: Int) -> Range<Int> {
    let vectors = (sizes.inputChannels * sizes.outputChannels + 31) / 32
    let start = vectors * task / Self.rangeCount * 32
    let end = vectors * (task + 1) / Self.rangeCount * 32
    return start..<min(end, sizes.inputChannels * sizes.outputChannels)
  }

  /// Transforms a part of the weights; given the gradient of the transform, makes theirs of it.
  private func transformWeights(_ task: Int, gradient: FloatMemory? = nil) {
    let range = weightRange(task)
    guard !range.isEmpty else { return }
    let isBackward = gradient != nil
    let parameters = context.parameters
    let plane = sizes.inputChannels * sizes.outputChannels
    for (phase, taps) in sizes.phaseTaps.enumerated() {
      let plain =
        (isBackward ? parameters.gradients : parameters.weights).pointer
        + (weights + phase * plane + range.lowerBound)
      let transformed =
        (gradient ?? weightTransform).pointer
        + (phase * rank * weightStride + range.lowerBound)
      let (from, to) = isBackward ? (transformed, plain) : (plain, transformed)
      let strides = (plain: sizes.stride * plane, transformed: weightStride)
      TrainingProducts.multiplyThin(
        rows: isBackward ? taps : rank, columns: range.count, depth: isBackward ? rank : taps,
        Factor(transform.weights[phase].pointer, stride: taps, isTransposed: isBackward),
        Factor(from, stride: isBackward ? strides.transformed : strides.plain), into: to,
        stride: isBackward ? strides.plain : strides.transformed)
    }
  }

  private func transformedWeights(_ phase: Int, _ index: Int) -> UnsafeMutablePointer<Float> {
    weightTransform.pointer + (phase * rank + index) * weightStride
  }

  // MARK: - Tiles

  /// The frames of a phase that a tile sees: where they begin, and their place in the transform.
  private func seen(_ tile: Int, _ phase: Int) -> (start: Int, place: Int, count: Int) {
    let frames = (sizes.frames - phase + sizes.stride - 1) / sizes.stride
    let origin = tile * transform.frames - sizes.outputPadding
    let start = max(0, origin)
    return (start, start - origin, max(0, min(frames, origin + transform.span) - start))
  }

  /// The frames of the result that a tile makes.
  private func made(_ tile: Int) -> Int {
    min(transform.frames, sizes.outputFrames - tile * transform.frames)
  }

  /// Calls with each tile of a chunk: its sequence, its number there and among all.
  private func eachTile(_ chunk: Chunk, points: Int, _ body: (Int, Int, Int) -> Void) {
    for sequence in (chunk.samples.lowerBound * points)..<(chunk.samples.upperBound * points) {
      for tile in 0..<tilesPerSequence { body(sequence, tile, sequence * tilesPerSequence + tile) }
    }
  }

  // MARK: - The way there and back

  func appendForward(to program: TrainingProgram, _ input: FrameBlob, _ output: FrameBlob) {
    let tiles = context.batchSize * input.points * tilesPerSequence
    let inputStride = tiles * sizes.inputChannels + 80
    let outputStride = tiles * sizes.outputChannels + 80
    let inputTransform = FloatMemory(sizes.stride * rank * inputStride)
    context.reserve(rank * outputStride)
    self.inputTransform = inputTransform
    program.chunks { [self] chunk in
      eachTile(chunk, points: input.points) { sequence, tile, number in
        for phase in 0..<sizes.stride {
          let seen = seen(tile, phase)
          TrainingProducts.multiplyThin(
            rows: rank, columns: sizes.inputChannels, depth: seen.count,
            Factor(transform.input.pointer + seen.place, stride: transform.span),
            Factor(
              input.sequence(sequence) + (seen.start * sizes.stride + phase) * sizes.inputChannels,
              stride: sizes.stride * sizes.inputChannels),
            into: inputTransform.pointer + phase * rank * inputStride
              + number * sizes.inputChannels, stride: inputStride)
        }
      }
    }
    program.tasks(rank) { [self] index, worker in
      for phase in 0..<sizes.stride {
        context.products.multiply(
          rows: context.sampleCount * input.points * tilesPerSequence,
          columns: sizes.outputChannels, depth: sizes.inputChannels,
          Factor(
            inputTransform.pointer + (phase * rank + index) * inputStride,
            stride: sizes.inputChannels),
          Factor(transformedWeights(phase, index), stride: sizes.outputChannels),
          into: context.shared.pointer + index * outputStride, stride: sizes.outputChannels,
          accumulates: phase > 0, worker: worker)
      }
    }
    program.chunks { [self] chunk in
      eachTile(chunk, points: input.points) { sequence, tile, number in
        TrainingProducts.multiplyThin(
          rows: made(tile), columns: sizes.outputChannels, depth: rank,
          Factor(transform.output.pointer, stride: rank),
          Factor(context.shared.pointer + number * sizes.outputChannels, stride: outputStride),
          into: output.sequence(sequence) + tile * transform.frames * sizes.outputChannels,
          stride: sizes.outputChannels)
      }
    }
  }

  private var inputTransform = FloatMemory(0)

  func appendBackward(
    to program: TrainingProgram, _ input: FrameBlob, _ outputGradient: FrameBlob,
    _ inputGradient: FrameBlob
  ) {
    let tiles = context.batchSize * input.points * tilesPerSequence
    let inputStride = tiles * sizes.inputChannels + 80
    let outputStride = tiles * sizes.outputChannels + 80
    let weightGradient = FloatMemory(sizes.stride * rank * weightStride)
    program.chunks { [self] chunk in
      eachTile(chunk, points: input.points) { sequence, tile, number in
        TrainingProducts.multiplyThin(
          rows: rank, columns: sizes.outputChannels, depth: made(tile),
          Factor(transform.output.pointer, stride: rank, isTransposed: true),
          Factor(
            outputGradient.sequence(sequence) + tile * transform.frames * sizes.outputChannels,
            stride: sizes.outputChannels),
          into: context.shared.pointer + number * sizes.outputChannels, stride: outputStride)
      }
    }
    program.tasks(rank) { [self] index, worker in
      let rows = context.sampleCount * input.points * tilesPerSequence
      let gradient = Factor(
        context.shared.pointer + index * outputStride, stride: sizes.outputChannels)
      for phase in 0..<sizes.stride {
        let transformed = inputTransform.pointer + (phase * rank + index) * inputStride
        context.products.multiply(
          rows: sizes.inputChannels, columns: sizes.outputChannels, depth: rows,
          Factor(transformed, stride: sizes.inputChannels, isTransposed: true), gradient,
          into: weightGradient.pointer + (phase * rank + index) * weightStride,
          stride: sizes.outputChannels, worker: worker)
        // The input's transform has done its work; its gradient takes the place.
        context.products.multiply(
          rows: rows, columns: sizes.inputChannels, depth: sizes.outputChannels, gradient,
          Factor(
            transformedWeights(phase, index), stride: sizes.outputChannels, isTransposed: true),
          into: transformed, stride: sizes.inputChannels, worker: worker)
      }
    }
    program.tasks(Self.rangeCount) { [self] task, _ in
      transformWeights(task, gradient: weightGradient)
    }
    program.chunks { [self] chunk in
      eachTile(chunk, points: input.points) { sequence, tile, number in
        if tile == 0, tilesPerSequence > 1 {
          inputGradient.sequence(sequence).update(
            repeating: 0, count: sizes.frames * sizes.inputChannels)
        }
        for phase in 0..<sizes.stride {
          let seen = seen(tile, phase)
          TrainingProducts.multiplyThin(
            rows: seen.count, columns: sizes.inputChannels, depth: rank,
            Factor(
              transform.input.pointer + seen.place, stride: transform.span, isTransposed: true),
            Factor(
              inputTransform.pointer + phase * rank * inputStride + number * sizes.inputChannels,
              stride: inputStride),
            into: inputGradient.sequence(sequence)
              + (seen.start * sizes.stride + phase) * sizes.inputChannels,
            stride: sizes.stride * sizes.inputChannels, accumulates: tilesPerSequence > 1)
        }
      }
    }
  }
}
