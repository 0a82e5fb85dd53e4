extension NetworkTrainer {
  /// The name of the output of ``graph(temperature:)``.
  package static let outputName = "probabilities"

  /// The network as Core ML layers, for prediction and for the model writer.
  ///
  /// - Parameter temperature: What the scores are divided by, which calibrates the probabilities
  ///   (Guo et al., *On Calibration of Modern Neural Networks*, ICML 2017).
  /// - Throws: ``NetworkError`` for a temperature that is not above 0.
  package func graph(temperature: Float = 1) throws -> Graph {
    guard temperature > 0, temperature.isFinite else {
      throw NetworkError(.parameters, "a temperature of \(temperature) is not above 0")
    }
    var writer = GraphWriter(input: "input")
    if let graph = specification.graph {
      try writeGraphNetwork(graph, temperature, &writer)
    } else {
      try writeCompactNetwork(temperature, &writer)
    }
    writer.add(Self.outputName, Softmax(axis: 1))
    return Graph(
      inputName: "input",
      inputShape: [specification.windowSize, 3, specification.pointCount], nodes: writer.nodes)
  }

  // MARK: - The graph network

  private func writeGraphNetwork(
    _ graph: PointGraph, _ temperature: Float, _ writer: inout GraphWriter
  ) throws {
    let frames = specification.windowSize
    let points = specification.pointCount
    writer.add("input.transposed", Transpose(axes: [1, 2, 0]))
    writer.add("input.flat", Reshape(target: [1, 3 * points, frames]))
    writer.add("input.expanded", Reshape(.expanded(axes: [0, 3])))
    writer.add("input.normalization", try exported(model.input.normalization))
    writer.add("input.squeezed", Reshape(.squeezed(axes: [0, 3])))
    writer.add("input.points", Reshape(target: [1, 3, points, frames]))
    writer.add("input.frames", Transpose(axes: [0, 1, 3, 2]))
    for index in model.temporalStages.indices {
      try writeBlock(index, graph, &writer)
    }
    let last = model.temporalStages.last?.sizes
    let plane = (last?.outputFrames ?? 1, points)
    writer.add(
      "head.mean",
      Pooling(
        operation: .average, window: try Window(kernel: plane, stride: plane),
        excludesPadding: true))
    let (weights, bias) = headWeights(temperature)
    writer.add(
      "head.scores",
      try Convolution(
        outputChannels: specification.classCount,
        kernelChannels: weights.count / specification.classCount,
        window: Window(kernel: (1, 1)), weights: weights, bias: bias))
    writer.add("head.flat", Reshape(target: [1, -1]))
  }

  private func writeBlock(
    _ index: Int, _ graph: PointGraph, _ writer: inout GraphWriter
  ) throws {
    let spatial = model.graphStages[index]
    let temporal = model.temporalStages[index]
    let sizes = temporal.sizes
    let block = "block\(index)"
    let source = writer.current
    let channels = spatial.channels
    writer.add(block + ".spatial.product", try exported(spatial, graph))
    writer.rearrange(
      block + ".spatial", from: 1, to: 3,
      sizes: [Int](repeating: channels, count: graph.partCount))
    writer.add(block + ".spatial.swap", Transpose(axes: [0, 3, 2, 1]))
    writer.add(
      block + ".spatial.sums",
      try Convolution(
        outputChannels: graph.pointCount, kernelChannels: graph.partCount * graph.pointCount,
        window: Window(kernel: (1, 1)), weights: graph.matrix))
    writer.add(block + ".spatial.unswap", Transpose(axes: [0, 3, 2, 1]))
    writer.add(block + ".spatial.normalization", try exported(spatial.normalization))
    writer.add(block + ".spatial.relu", Activation(.rectified))
    writer.add(
      block + ".temporal.padding",
      try Padding(top: sizes.padding, bottom: sizes.padding, left: 0, right: 0, value: 0))
    writer.add(
      block + ".temporal.convolution",
      try exported(temporal, edges: .none, hasBias: true))
    let main = block + ".temporal.normalization"
    writer.add(main, try exported(temporal.normalization))
    let addition = block + ".sum"
    if let projection = temporal.projection {
      writer.add(
        block + ".residual.convolution",
        try Convolution(
          outputChannels: channels, kernelChannels: spatial.inputChannels,
          window: Window(kernel: (1, 1), stride: (sizes.stride, 1)),
          weights: transposed(projection.weights, rows: spatial.inputChannels, columns: channels),
          bias: [Float](repeating: 0, count: channels)), from: [source])
      writer.add(block + ".residual.normalization", try exported(projection.normalization))
      writer.add(addition, Addition(isBroadcastable: true), from: [main, writer.current])
    } else if model.plan.blocks[index].hasResidual {
      writer.add(addition, Addition(isBroadcastable: true), from: [main, source])
    }
    writer.add(block + ".relu", Activation(.rectified))
  }

  // MARK: - The compact networks

  private func writeCompactNetwork(_ temperature: Float, _ writer: inout GraphWriter) throws {
    let frames = specification.windowSize
    let points = specification.pointCount
    let features = specification.featureCount
    writer.add("rows", Reshape(target: [frames, features]))
    writer.add("channels", Transpose(axes: [1, 0]))
    writer.add("plane", Reshape(target: [1, features, frames, 1]))
    let factors = (0..<features).map {
      $0 < 2 * points ? 1 : InputStage.WindowNormalization.confidenceScale
    }
    writer.add(
      "weighted", Scale(scale: try BroadcastParameter(shape: [features, 1, 1], values: factors)))
    writer.add(
      "centred",
      try MeanVarianceNormalization(
        acrossChannels: false, normalizesVariance: false,
        epsilon: Float(InputStage.WindowNormalization.epsilon)))
    writer.add(
      "length", try L2Normalization(epsilon: Float(InputStage.WindowNormalization.epsilon)))
    if specification.architecture == .posture { try writePostures(&writer) }
    let length = InputStage.WindowNormalization.length(specification)
    writer.add("input_norm", try exported(model.input.normalization, inputScale: length))
    for (index, stage) in model.temporalStages.enumerated() {
      let source = writer.current
      let padding = stage.sizes.padding
      writer.add(
        "block\(index)_conv",
        try exported(
          stage,
          edges: .explicit(top: padding, bottom: padding, left: 0, right: 0), hasBias: false))
      writer.add("block\(index)_norm", try exported(stage.normalization))
      if model.plan.blocks[index].hasResidual {
        writer.add(
          "block\(index)_sum", Addition(isBroadcastable: true), from: [writer.current, source])
      }
      writer.add("block\(index)_relu", Activation(.rectified))
    }
    writer.add("mean", Pooling(operation: .average, window: nil))
    let (weights, bias) = headWeights(temperature)
    writer.add("features", Reshape(target: [1, weights.count / specification.classCount]))
    writer.add(
      "scores",
      try InnerProduct(
        inputChannels: weights.count / specification.classCount,
        outputChannels: specification.classCount, weights: weights, bias: bias))
  }

  /// Every frame's points about their middle, and confidences, as channels behind the motion.
  private func writePostures(_ writer: inout GraphWriter) throws {
    let motion = writer.current
    let points = specification.pointCount
    let features = specification.featureCount
    var weights = [Float](repeating: 0, count: features * features)
    for feature in 0..<features {
      let row = feature * features
      guard feature < 2 * points else {
        weights[row + feature] = InputStage.WindowNormalization.postureConfidenceScale
        continue
      }
      let start = feature < points ? 0 : points
      for other in start..<(start + points) { weights[row + other] = -1 / Float(points) }
      weights[row + feature] += 1
    }
    writer.add(
      "posture",
      try Convolution(
        outputChannels: features, kernelChannels: features, window: Window(kernel: (1, 1)),
        weights: weights), from: ["plane"])
    writer.add(
      "posture_length", try L2Normalization(epsilon: Float(InputStage.WindowNormalization.epsilon)))
    writer.add(
      "motion_and_posture", Concatenation(axis: -3, isNamed: true), from: [motion, writer.current])
  }

  // MARK: - Layers

  private func values(_ offset: Int, _ count: Int) -> [Float] {
    Array(
      UnsafeBufferPointer(start: model.context.parameters.weights.pointer + offset, count: count))
  }

  /// The weights at a place, [rows][columns], as [columns][rows]; with taps, [taps][rows][columns]
  /// as [columns][rows][taps].
  private func transposed(_ offset: Int, taps: Int = 1, rows: Int, columns: Int) -> [Float] {
    let weights = values(offset, taps * rows * columns)
    var transposed: [Float] = []
    transposed.reserveCapacity(weights.count)
    for column in 0..<columns {
      for row in 0..<rows {
        for tap in 0..<taps { transposed.append(weights[(tap * rows + row) * columns + column]) }
      }
    }
    return transposed
  }

  private func headWeights(_ temperature: Float) -> (weights: [Float], bias: [Float]) {
    let head = model.head
    let channels = model.plan.blocks.last?.channels ?? 0
    return (
      transposed(head.weights, rows: channels, columns: head.classCount).map { $0 / temperature },
      values(head.bias, head.classCount).map { $0 / temperature }
    )
  }

  /// A normalisation by the running statistics; of values that are `inputScale` times as large as
  /// the layer's input.
  private func exported(
    _ normalization: TrainingNormalization, inputScale: Float = 1
  ) throws -> BatchNormalization {
    let epsilon = Float(TrainingNormalization.epsilon)
    let variance = normalization.runningVariance.values
    let smaller = variance.map { $0 / (inputScale * inputScale) }
    let gamma = values(normalization.gamma, normalization.channels).enumerated().map {
      let (index, value) = $0
      let factor = (smaller[index] + epsilon) / (variance[index] + epsilon)
      return inputScale == 1 ? value : value * inputScale * factor.squareRoot()
    }
    return try BatchNormalization(
      channels: normalization.channels, gamma: gamma,
      beta: values(normalization.beta, normalization.channels),
      mean: normalization.runningMean.values.map { $0 / inputScale }, variance: smaller,
      epsilon: epsilon)
  }

  private func exported(
    _ stage: TemporalStage, edges: Window.Edges, hasBias: Bool
  ) throws -> Convolution {
    let sizes = stage.sizes
    return try Convolution(
      outputChannels: sizes.outputChannels, kernelChannels: sizes.inputChannels,
      window: Window(kernel: (sizes.taps, 1), stride: (sizes.stride, 1), edges: edges),
      weights: transposed(
        stage.weights, taps: sizes.taps, rows: sizes.inputChannels,
        columns: sizes.outputChannels),
      bias: hasBias ? [Float](repeating: 0, count: sizes.outputChannels) : nil)
  }

  /// The product over channels, before the sums over points.
  private func exported(_ stage: GraphStage, _ graph: PointGraph) throws -> Convolution {
    let size = stage.inputChannels * stage.channels
    return try Convolution(
      outputChannels: graph.partCount * stage.channels, kernelChannels: stage.inputChannels,
      window: Window(kernel: (1, 1)),
      weights: (0..<graph.partCount).flatMap {
        transposed(stage.weights + $0 * size, rows: stage.inputChannels, columns: stage.channels)
      },
      bias: values(stage.bias, graph.partCount * stage.channels))
  }
}
