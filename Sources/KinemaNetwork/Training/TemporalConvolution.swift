internal import CTrainingKernels

/// The sizes of a convolution over time in training, from one blob of frames to another:
/// y[t] = Σ x[t·stride + k − padding] · w[k], padding (taps − 1) / 2.
struct TemporalSizes {
  let taps: Int
  let stride: Int
  let inputChannels: Int
  let outputChannels: Int
  let frames: Int

  var padding: Int { (taps - 1) / 2 }
  var outputFrames: Int { (frames + stride - 1) / stride }
  /// The padding in rows of the output.
  var outputPadding: Int { padding / stride }
  var outputRows: Int { outputFrames + outputPadding }
  var inputRows: Int { outputRows * stride }
  var phaseTaps: [Int] { (0..<stride).map { (taps - $0 + stride - 1) / stride } }
  var weightCount: Int { taps * inputChannels * outputChannels }
}

/// A convolution over time in training; weights are [taps][input channels][output channels].
protocol TemporalConvolution: AnyObject {
  /// Makes the output's frames of the input's; what follows them in a sequence is undefined.
  func appendForward(to program: TrainingProgram, _ input: FrameBlob, _ output: FrameBlob)

  /// Makes the gradients of weights and input; the output's gradient has zeros after its frames.
  func appendBackward(
    to program: TrainingProgram, _ input: FrameBlob, _ outputGradient: FrameBlob,
    _ inputGradient: FrameBlob)
}

/// A convolution as one matrix product: the rows of a window lie behind one another in memory, so
/// that a matrix whose rows overlap is the input without any copy.
final class DirectConvolution: TemporalConvolution {
  private let sizes: TemporalSizes
  private let weights: Int
  /// The weights of the way back, for each phase [taps, last first][output][input channels].
  private let reversed: [FloatMemory]
  private let context: TrainingContext

  init(_ sizes: TemporalSizes, weights: Int, _ context: TrainingContext) {
    self.sizes = sizes
    self.weights = weights
    self.context = context
    let plane = sizes.inputChannels * sizes.outputChannels
    reversed = sizes.phaseTaps.map { FloatMemory($0 * plane) }
    context.preparations.append(
      (
        sizes.taps,
        { [reversed] tap, _ in
          guard context.isTraining else { return }
          let phase = tap % sizes.stride
          let place = sizes.phaseTaps[phase] - 1 - tap / sizes.stride
          training_transpose(
            context.parameters.weights.pointer + weights + tap * plane,
            Int64(sizes.inputChannels), Int64(sizes.outputChannels),
            reversed[phase].pointer + place * plane)
        }
      ))
  }

  func appendForward(to program: TrainingProgram, _ input: FrameBlob, _ output: FrameBlob) {
    program.chunks { [self] chunk in
      let first = chunk.samples.lowerBound
      context.products.multiply(
        rows: rows(chunk, output), columns: sizes.outputChannels,
        depth: sizes.taps * sizes.inputChannels,
        Factor(
          input.sample(first) - sizes.padding * sizes.inputChannels,
          stride: sizes.stride * sizes.inputChannels),
        Factor(context.parameters.weights.pointer + weights, stride: sizes.outputChannels),
        into: output.sample(first), stride: sizes.outputChannels, worker: chunk.worker)
    }
  }

  func appendBackward(
    to program: TrainingProgram, _ input: FrameBlob, _ outputGradient: FrameBlob,
    _ inputGradient: FrameBlob
  ) {
    program.chunks { [self] chunk in
      let first = chunk.samples.lowerBound
      let rows = rows(chunk, outputGradient)
      let gradient = outputGradient.sample(first)
      context.products.multiply(
        rows: sizes.taps * sizes.inputChannels, columns: sizes.outputChannels, depth: rows,
        Factor(
          input.sample(first) - sizes.padding * sizes.inputChannels,
          stride: sizes.stride * sizes.inputChannels, isTransposed: true),
        Factor(gradient, stride: sizes.outputChannels),
        into: context.parameters.part(chunk.index, weights), stride: sizes.outputChannels,
        worker: chunk.worker)
      for (phase, taps) in sizes.phaseTaps.enumerated() {
        // The last tap of the phase is the first that its frames meet.
        let start = sizes.outputPadding - (taps - 1)
        context.products.multiply(
          rows: rows, columns: sizes.inputChannels, depth: taps * sizes.outputChannels,
          Factor(gradient + start * sizes.outputChannels, stride: sizes.outputChannels),
          Factor(reversed[phase].pointer, stride: sizes.inputChannels),
          into: inputGradient.sample(first) + phase * sizes.inputChannels,
          stride: sizes.stride * sizes.inputChannels, worker: chunk.worker)
      }
    }
  }

  /// The rows of a chunk's output, without the padding behind its last sequence.
  private func rows(_ chunk: Chunk, _ output: FrameBlob) -> Int {
    chunk.samples.count * output.points * sizes.outputRows - sizes.outputPadding
  }
}
