internal import KinemaRandom

/// The parts of a network in training, and the way there and back through them.
final class TrainingModel {
  let plan: TrainingPlan
  let context: TrainingContext
  let input: InputStage
  let graphStages: [GraphStage]
  let temporalStages: [TemporalStage]
  let head: HeadStage
  let forward = TrainingProgram()
  let backward = TrainingProgram()

  init(
    _ specification: TrainableNetworkSpecification, plan: TrainingPlan,
    options: NetworkTrainingOptions
  ) {
    self.plan = plan
    let context = TrainingContext(options: options, leastChunk: plan.leastChunk)
    self.context = context
    var generator = SeededGenerator(seed: options.seed, at: 0)
    let isGraph = specification.graph != nil
    let points = isGraph ? specification.pointCount : 1
    let samples = context.batchSize
    func sizes(_ index: Int, channels: Int, frames: Int) -> TemporalSizes {
      TemporalSizes(
        taps: plan.taps, stride: plan.blocks[index].stride, inputChannels: channels,
        outputChannels: plan.blocks[index].channels, frames: frames)
    }
    /// A block's input: in the graph network rows for whole strides, else also the padding of the
    /// convolution, which takes it at once.
    func blockInput(_ index: Int, channels: Int, frames: Int) -> FrameBlob {
      guard index < plan.blocks.count else {
        return FrameBlob(samples: samples, points: points, frames: frames, channels: channels)
      }
      let sizes = sizes(index, channels: channels, frames: frames)
      return FrameBlob(
        samples: samples, points: points, frames: frames,
        rows: isGraph ? sizes.outputFrames * sizes.stride : sizes.inputRows,
        frontRows: isGraph ? 0 : sizes.padding, channels: channels)
    }

    var current = blockInput(
      0, channels: isGraph ? 3 : specification.channelCount, frames: specification.windowSize)
    input = InputStage(specification, output: current, context)
    var graphStages: [GraphStage] = []
    var temporalStages: [TemporalStage] = []
    var blobs = [current]
    var middles: [FrameBlob] = []
    for (index, block) in plan.blocks.enumerated() {
      let name = "block\(index)"
      let source = current
      let sizes = sizes(
        index, channels: isGraph ? block.channels : source.channels, frames: source.frames)
      var middle = source
      if let graph = specification.graph {
        middle = FrameBlob(
          samples: samples, points: points, frames: source.frames, rows: sizes.inputRows,
          frontRows: sizes.padding, channels: block.channels)
        graphStages.append(
          GraphStage(
            name + ".spatial", graph, input: source, output: middle, using: &generator, context))
      }
      let isSame = block.stride == 1 && source.channels == block.channels
      current = blockInput(index + 1, channels: block.channels, frames: sizes.outputFrames)
      temporalStages.append(
        TemporalStage(
          name, sizes, transforms: block.transforms, input: middle,
          residual: !block.hasResidual
            ? .none : isSame ? .identity(source) : .projected(source),
          output: current, using: &generator, context))
      blobs.append(current)
      middles.append(middle)
    }
    self.graphStages = graphStages
    self.temporalStages = temporalStages
    head = HeadStage(
      classCount: specification.classCount, input: current, options: options, using: &generator,
      context)
    appendForward()
    appendBackward(blobs, middles, isGraph: isGraph)
    context.seal()
  }

  private func appendForward() {
    input.appendForward(to: forward)
    for (index, stage) in temporalStages.enumerated() {
      if !graphStages.isEmpty { graphStages[index].appendForward(to: forward) }
      stage.appendForward(to: forward)
    }
    head.appendForward(to: forward)
  }

  private func appendBackward(_ blobs: [FrameBlob], _ middles: [FrameBlob], isGraph: Bool) {
    let largest = (blobs + middles).map(\.memory.count).max() ?? 0
    // A gradient is read by the block before it alone: two places in turn, and one between.
    let places = (0..<3).map { _ in FloatMemory(largest) }
    func gradient(_ blob: FrameBlob, _ place: Int) -> FrameBlob {
      FrameBlob(
        samples: context.batchSize, points: blob.points, frames: blob.frames, rows: blob.rows,
        channels: blob.channels, in: places[place])
    }
    head.appendBackward(
      to: backward, inputGradient: gradient(blobs[blobs.count - 1], temporalStages.count % 2))
    for index in temporalStages.indices.reversed() {
      let stage = temporalStages[index]
      let outer = gradient(blobs[index + 1], (index + 1) % 2)
      let inner = gradient(blobs[index], index % 2)
      if isGraph {
        let middle = gradient(middles[index], 2)
        stage.appendBackward(to: backward, outputGradient: outer, inputGradient: middle)
        graphStages[index].appendBackward(
          to: backward, outputGradient: middle, inputGradient: inner)
      } else {
        stage.appendBackward(to: backward, outputGradient: outer, inputGradient: inner)
      }
      stage.appendResidualBackward(to: backward, outputGradient: outer, inputGradient: inner)
    }
    input.appendBackward(to: backward, outputGradient: gradient(blobs[0], 0))
  }

  func runForward(_ windows: UnsafePointer<Float>, samples: Int) {
    context.sampleCount = samples
    input.windows = windows
    context.prepare()
    forward.run(samples: samples, chunkSize: context.chunkSize, context.workers)
    input.windows = nil
  }

  func runBackward() {
    backward.run(samples: context.sampleCount, chunkSize: context.chunkSize, context.workers)
    context.parameters.gather(chunks: context.activeChunks, context.workers)
  }
}

extension SeededGenerator {
  /// The initial weights of a layer, evenly distributed between ±1/√fanIn.
  mutating func uniform(_ count: Int, fanIn: Int) -> [Float] {
    let bound = 1 / Float(fanIn).squareRoot()
    return (0..<count).map { _ in (2 * unit() - 1) * bound }
  }
}
