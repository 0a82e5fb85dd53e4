internal import KinemaNetwork

/// Writes the parameters of a layer into its `NeuralNetworkLayer` message.
enum LayerEncoder {
  /// The message of a layer in a graph; throws ``ActionError`` for layers that the format does not
  /// have.
  static func message(of node: Node) throws -> WireWriter {
    var layer = WireWriter()
    layer.text(1, node.name)
    for input in node.inputs { layer.text(2, input) }
    for output in node.outputs { layer.text(3, output) }
    do {
      try encode(node.layer, into: &layer)
    } catch let error as NetworkError {
      throw ActionError(
        .unwritable, "layer “\(node.name)” cannot be written: it \(error.message)", cause: error)
    }
    return layer
  }

  /// Appends the parameters; throws `NetworkError` for layers that the format does not have.
  static func encode(_ layer: any Layer, into message: inout WireWriter) throws {
    switch layer {
    case let layer as Convolution: message.message(LayerKind.convolution, convolution(layer))
    case let layer as InnerProduct: message.message(LayerKind.innerProduct, innerProduct(layer))
    case let layer as BatchNormalization:
      message.message(LayerKind.batchnorm, batchNormalization(layer))
    case let layer as Pooling: message.message(LayerKind.pooling, pooling(layer))
    case let layer as Activation: message.message(LayerKind.activation, activation(layer))
    case let layer as Padding: message.message(LayerKind.padding, padding(layer))
    case let layer as MeanVarianceNormalization:
      message.message(LayerKind.mvn) { fields in
        fields.boolean(1, layer.acrossChannels)
        fields.boolean(2, layer.normalizesVariance)
        fields.float(3, layer.epsilon)
      }
    case let layer as L2Normalization:
      message.message(LayerKind.l2normalize) { $0.float(1, layer.epsilon) }
    case let layer as Scale:
      message.message(LayerKind.scale) { fields in
        parameter(layer.scale, shape: 1, values: 2, into: &fields)
        if let bias = layer.bias {
          fields.boolean(3, true)
          parameter(bias, shape: 4, values: 5, into: &fields)
        }
      }
    case let layer as Bias:
      message.message(LayerKind.bias) { parameter(layer.bias, shape: 1, values: 2, into: &$0) }
    case let layer as Constant:
      message.message(LayerKind.loadConstantND) { fields in
        fields.integers(1, layer.shape)
        weights(2, layer.values, into: &fields)
      }
    default: try encodeArrangement(layer, into: &message)
    }
  }

  /// The layers that add, join, cut and arrange blobs.
  private static func encodeArrangement(
    _ layer: any Layer, into message: inout WireWriter
  ) throws {
    switch layer {
    case let layer as Softmax:
      if let axis = layer.axis {
        message.message(LayerKind.softmaxND) { $0.integer(1, axis) }
      } else {
        message.message(LayerKind.softmax) { _ in }
      }
    case let layer as Addition:
      let kind = layer.isBroadcastable ? LayerKind.addBroadcastable : LayerKind.add
      message.message(kind) { if layer.constant != 0 { $0.float(1, layer.constant) } }
    case let layer as Concatenation:
      if layer.isNamed {
        message.message(LayerKind.concat) { $0.boolean(100, layer.axis == -5) }
      } else {
        message.message(LayerKind.concatND) { $0.integer(1, layer.axis) }
      }
    case let layer as Split:
      message.message(LayerKind.splitND) { fields in
        fields.integer(1, layer.axis)
        switch layer.parts {
        case .equal(let count): fields.integer(2, count)
        case .sizes(let sizes):
          fields.integer(2, sizes.count)
          fields.integers(3, sizes)
        }
      }
    case let layer as Transpose:
      message.message(LayerKind.transpose) { $0.integers(1, layer.axes) }
    case let layer as Gather: message.message(LayerKind.gather) { $0.integer(1, layer.axis) }
    case is GetShape: message.message(LayerKind.getShape) { _ in }
    case let layer as Squeeze:
      message.message(LayerKind.squeeze) { fields in
        fields.integers(1, layer.axes ?? [])
        fields.boolean(2, layer.axes == nil)
      }
    case let layer as ExpandDimensions:
      message.message(LayerKind.expandDims) { $0.integers(1, layer.axes) }
    case let layer as Reshape:
      message.message(LayerKind.reshapeStatic) { $0.integers(1, layer.target) }
    case is DynamicReshape: message.message(LayerKind.reshapeDynamic) { _ in }
    case let layer as ReduceMean:
      message.message(LayerKind.reduceMean) { fields in
        fields.integers(1, layer.axes ?? [])
        fields.boolean(2, layer.keepsDimensions)
        fields.boolean(3, layer.axes == nil)
      }
    default:
      throw NetworkError(.unsupported, "has no counterpart in the specification")
    }
  }

  private static func weights(_ field: Int, _ values: [Float], into message: inout WireWriter) {
    message.message(field) { $0.floats(1, values) }
  }

  private static func parameter(
    _ parameter: BroadcastParameter, shape: Int, values: Int, into message: inout WireWriter
  ) {
    message.integers(shape, parameter.shape)
    weights(values, parameter.values, into: &message)
  }

  private static func convolution(_ layer: Convolution) -> WireWriter {
    var fields = WireWriter()
    fields.integer(1, layer.outputChannels)
    fields.integer(2, layer.kernelChannels)
    fields.integer(10, layer.groups)
    let window = layer.window
    fields.integers(20, [window.kernel.rows, window.kernel.columns])
    fields.integers(30, [window.stride.rows, window.stride.columns])
    fields.integers(40, [window.dilation.rows, window.dilation.columns])
    edges(window.edges, valid: 50, same: 51, into: &fields)
    fields.boolean(70, layer.bias != nil)
    weights(90, layer.weights, into: &fields)
    if let bias = layer.bias { weights(91, bias, into: &fields) }
    return fields
  }

  private static func innerProduct(_ layer: InnerProduct) -> WireWriter {
    var fields = WireWriter()
    fields.integer(1, layer.inputChannels)
    fields.integer(2, layer.outputChannels)
    fields.boolean(10, layer.bias != nil)
    weights(20, layer.weights, into: &fields)
    if let bias = layer.bias { weights(21, bias, into: &fields) }
    return fields
  }

  private static func batchNormalization(_ layer: BatchNormalization) -> WireWriter {
    var fields = WireWriter()
    fields.integer(1, layer.gamma.count)
    fields.float(10, layer.epsilon)
    weights(15, layer.gamma, into: &fields)
    weights(16, layer.beta, into: &fields)
    weights(17, layer.mean, into: &fields)
    weights(18, layer.variance, into: &fields)
    return fields
  }

  private static func pooling(_ layer: Pooling) -> WireWriter {
    var fields = WireWriter()
    fields.integer(1, layer.operation == .maximum ? 0 : 1)
    if let window = layer.window {
      fields.integers(10, [window.kernel.rows, window.kernel.columns])
      fields.integers(20, [window.stride.rows, window.stride.columns])
      edges(window.edges, valid: 30, same: 31, into: &fields)
    } else {
      // Create ML writes sizes of zero where the plane decides.
      fields.integers(10, [0, 0])
      fields.integers(20, [0, 0])
      edges(.explicit(top: 0, bottom: 0, left: 0, right: 0), valid: 30, same: 31, into: &fields)
    }
    fields.boolean(50, layer.excludesPadding)
    fields.boolean(60, layer.window == nil)
    return fields
  }

  private static func activation(_ layer: Activation) -> WireWriter {
    var fields = WireWriter()
    switch layer.function {
    case .rectified: fields.message(10) { _ in }
    case .hyperbolicTangent: fields.message(30) { _ in }
    case .sigmoid: fields.message(40) { _ in }
    case .leakyRectified(let slope): fields.message(15) { $0.float(1, slope) }
    case .linear(let factor, let term):
      fields.message(5) { linear in
        linear.float(1, factor)
        linear.float(2, term)
      }
    }
    return fields
  }

  private static func padding(_ layer: Padding) -> WireWriter {
    var fields = WireWriter()
    fields.message(1) { $0.float(1, layer.value) }
    fields.message(
      10, borders(top: layer.top, bottom: layer.bottom, left: layer.left, right: layer.right))
    return fields
  }

  private static func edges(
    _ edges: Window.Edges, valid: Int, same: Int, into fields: inout WireWriter
  ) {
    switch edges {
    case .explicit(let top, let bottom, let left, let right):
      fields.message(valid) { padding in
        padding.message(1, borders(top: top, bottom: bottom, left: left, right: right))
      }
    case .same(let topLeftHeavy):
      fields.message(same) { $0.integer(1, topLeftHeavy ? 1 : 0) }
    }
  }

  private static func borders(top: Int, bottom: Int, left: Int, right: Int) -> WireWriter {
    var fields = WireWriter()
    for (start, end) in [(top, bottom), (left, right)] {
      fields.message(10) { pair in
        pair.integer(1, start)
        pair.integer(2, end)
      }
    }
    return fields
  }
}
