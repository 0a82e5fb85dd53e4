extension NetworkTrainer {
  /// The network as Core ML layers, for prediction and for the model writer, with Create ML's
  /// layers, names and order, except for a fixed shape before the scores.
  ///
  /// - Parameter temperature: What the scores are divided by, which calibrates the probabilities
  ///   (Guo et al., *On Calibration of Modern Neural Networks*, ICML 2017).
  /// - Throws: ``NetworkError`` for a temperature that is not above 0.
  package func graph(temperature: Float = 1) throws -> Graph {
    guard temperature > 0, temperature.isFinite else {
      throw NetworkError(.parameters, "a temperature of \(temperature) is not above 0")
    }
    var writer = GraphWriter(input: "poses")
    switch specification.architecture {
    case .stgcn: try writeGraphNetwork(temperature, &writer)
    case .tcn, .posture: try writeCompactNetwork(temperature, &writer)
    }
    return Graph(
      inputName: "poses",
      inputShape: [specification.windowSize, 3, specification.jointCount], nodes: writer.nodes)
  }

  // MARK: - The graph network

  private func writeGraphNetwork(_ temperature: Float, _ writer: inout GraphWriter) throws {
    let frames = specification.windowSize
    let joints = specification.jointCount
    writer.add("input_transpose0", Transpose(axes: [1, 2, 0]))
    writer.add("encode_reshape0", Reshape(target: [1, 3 * joints, frames]))
    writer.add("encode_expand_dims0", Reshape(.expanded(axes: [0, 3])))
    writer.add("stgcn_action_batch_norm_1", try exported(model.input.normalization))
    writer.add("encode_squeeze0", Reshape(.squeezed(axes: [0, 3])))
    writer.add("encode_reshape1", Reshape(target: [1, 3, joints, frames]))
    writer.add("encode_transpose0", Transpose(axes: [0, 1, 3, 2]))
    for index in model.temporalStages.indices { try writeBlock(index, &writer) }
    let last = model.temporalStages.last?.sizes
    let plane = (last?.outputFrames ?? 1, joints)
    writer.add(
      "decode_pooling0",
      Pooling(
        operation: .average, window: try Window(kernel: plane, stride: plane),
        excludesPadding: true))
    let (weights, bias) = headWeights(temperature)
    writer.add(
      "stgcn_action_conv_1",
      try Convolution(
        outputChannels: specification.classCount,
        kernelChannels: weights.count / specification.classCount,
        window: Window(kernel: (1, 1)), weights: weights, bias: bias))
    writer.add("decode_reshape0", Reshape(target: [1, -1]))
    writer.add("labelProbabilities", Softmax(axis: 1))
  }

  private func writeBlock(_ index: Int, _ writer: inout GraphWriter) throws {
    let spatial = model.graphStages[index]
    let temporal = model.temporalStages[index]
    let sizes = temporal.sizes
    let block = "stgcn_action_stgcn_\(index)"
    let prefix = index == 0 ? "encode" : "residual\(index)"
    // The first block's transposes are numbered after that of the input.
    let transposes = index == 0 ? (1, 2) : (0, 1)
    let source = writer.current
    let channels = spatial.channels
    writer.add(block + "graph_conv_conv_1", try exported(spatial))
    writer.rearrange(
      prefix, number: 0, from: 1, to: 3,
      sizes: [Int](repeating: channels, count: BodyGraph.partCount))
    writer.add("\(prefix)_transpose\(transposes.0)", Transpose(axes: [0, 3, 2, 1]))
    writer.add(
      block + "graph_conv_conv_2",
      try Convolution(
        outputChannels: BodyGraph.jointCount,
        kernelChannels: BodyGraph.partCount * BodyGraph.jointCount,
        window: Window(kernel: (1, 1)), weights: BodyGraph.matrix))
    writer.add("\(prefix)_transpose\(transposes.1)", Transpose(axes: [0, 3, 2, 1]))
    writer.add(block + "graph_conv_tcn_batch_norm_0", try exported(spatial.normalization))
    writer.add(
      index == 0 ? "encode_activation0" : block + "graph_conv_tcn_relu_0", Activation(.rectified))
    writer.add(
      prefix + "_pad",
      try Padding(top: sizes.padding, bottom: sizes.padding, left: 0, right: 0, value: 0))
    writer.add(
      block + "graph_conv_tcn_conv_1",
      try exported(temporal, edges: .none, hasBias: true))
    let main = block + "graph_conv_tcn_batch_norm_1"
    writer.add(main, try exported(temporal.normalization))
    let addition = prefix + "_add_broadcastable0"
    if let projection = temporal.projection {
      writer.add(
        block + "residual_conv_1",
        try Convolution(
          outputChannels: channels, kernelChannels: spatial.inputChannels,
          window: Window(kernel: (1, 1), stride: (sizes.stride, 1)),
          weights: transposed(projection.weights, rows: spatial.inputChannels, columns: channels),
          bias: [Float](repeating: 0, count: channels)), from: [source])
      writer.add(block + "residual_batch_norm_1", try exported(projection.normalization))
      writer.add(addition, Addition(isBroadcastable: true), from: [main, writer.current])
    } else if model.plan.blocks[index].hasResidual {
      writer.add(addition, Addition(isBroadcastable: true), from: [main, source])
    }
    let isLast = index == model.temporalStages.count - 1
    writer.add(isLast ? "decode_activation0" : block + "_relu_0", Activation(.rectified))
  }

  // MARK: - The compact networks

  private func writeCompactNetwork(_ temperature: Float, _ writer: inout GraphWriter) throws {
    let frames = specification.windowSize
    let joints = specification.jointCount
    let features = specification.featureCount
    writer.add("rows", Reshape(target: [frames, features]))
    writer.add("channels", Transpose(axes: [1, 0]))
    writer.add("plane", Reshape(target: [1, features, frames, 1]))
    let factors = (0..<features).map {
      $0 < 2 * joints ? 1 : InputStage.WindowNormalization.confidenceScale
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
    writer.add("labelProbabilities", Softmax(axis: 1))
  }

  /// Every frame's joints about their middle, and confidences, as channels behind the motion.
  private func writePostures(_ writer: inout GraphWriter) throws {
    let motion = writer.current
    let joints = specification.jointCount
    let features = specification.featureCount
    var weights = [Float](repeating: 0, count: features * features)
    for feature in 0..<features {
      let row = feature * features
      guard feature < 2 * joints else {
        weights[row + feature] = InputStage.WindowNormalization.postureConfidenceScale
        continue
      }
      let start = feature < joints ? 0 : joints
      for other in start..<(start + joints) { weights[row + other] = -1 / Float(joints) }
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
    return (0..<columns).flatMap { column in
      (0..<rows).flatMap { row in
        (0..<taps).map { weights[($0 * rows + row) * columns + column] }
      }
    }
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

  /// The product over channels in Create ML's order, before the sums over joints.
  private func exported(_ stage: GraphStage) throws -> Convolution {
    let size = stage.inputChannels * stage.channels
    return try Convolution(
      outputChannels: BodyGraph.partCount * stage.channels, kernelChannels: stage.inputChannels,
      window: Window(kernel: (1, 1)),
      weights: (0..<BodyGraph.partCount).flatMap {
        transposed(stage.weights + $0 * size, rows: stage.inputChannels, columns: stage.channels)
      },
      bias: values(stage.bias, BodyGraph.partCount * stage.channels))
  }
}
