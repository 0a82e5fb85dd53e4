internal import KinemaNetwork

enum LayerEncoder {
  /// The message of a layer in a graph; throws ``ModelFileError`` for layers that the format does not
  /// have.
  static func message(of node: Node) throws -> WireWriter {
    guard let field = LayerKind.field(named: node.layer.kind) else {
      throw ModelFileError(
        .unwritable,
        "layer “\(node.name)” cannot be written: it has no counterpart in the specification")
    }
    var message = WireWriter()
    message.text(1, node.name)
    for input in node.inputs { message.text(2, input) }
    for output in node.outputs { message.text(3, output) }
    message.message(field) { encode(node.layer, into: &$0) }
    return message
  }

  private static func encode(_ layer: any Layer, into fields: inout WireWriter) {
    switch layer {
    case let layer as Convolution: encode(layer, into: &fields)
    case let layer as InnerProduct:
      fields.integer(1, layer.inputChannels)
      fields.integer(2, layer.outputChannels)
      fields.boolean(10, layer.bias != nil)
      weights(20, layer.weights, into: &fields)
      if let bias = layer.bias { weights(21, bias, into: &fields) }
    case let layer as BatchNormalization:
      fields.integer(1, layer.gamma.count)
      fields.float(10, layer.epsilon)
      for (index, values) in [layer.gamma, layer.beta, layer.mean, layer.variance].enumerated() {
        weights(15 + index, values, into: &fields)
      }
    case let layer as Pooling: encode(layer, into: &fields)
    case let layer as Activation: encode(layer.function, into: &fields)
    case let layer as Padding:
      fields.message(1) { $0.float(1, layer.value) }
      fields.message(10) {
        borders(top: layer.top, bottom: layer.bottom, left: layer.left, right: layer.right, &$0)
      }
    case let layer as MeanVarianceNormalization:
      fields.boolean(1, layer.acrossChannels)
      fields.boolean(2, layer.normalizesVariance)
      fields.float(3, layer.epsilon)
    case let layer as L2Normalization: fields.float(1, layer.epsilon)
    case let layer as Scale:
      if let first = layer.scale ?? layer.bias { parameter(first, shape: 1, values: 2, &fields) }
      if layer.scale != nil, let bias = layer.bias {
        fields.boolean(3, true)
        parameter(bias, shape: 4, values: 5, &fields)
      }
    case let layer as Constant:
      fields.integers(1, layer.shape)
      weights(2, layer.values, into: &fields)
    default: encodeArrangement(layer, into: &fields)
    }
  }

  /// The layers that add, join, cut and arrange blobs.
  private static func encodeArrangement(_ layer: any Layer, into fields: inout WireWriter) {
    switch layer {
    case let layer as Softmax: if let axis = layer.axis { fields.integer(1, axis) }
    case let layer as Addition: if layer.constant != 0 { fields.float(1, layer.constant) }
    case let layer as Concatenation:
      if layer.isNamed {
        fields.boolean(100, layer.axis == -5)
      } else {
        fields.integer(1, layer.axis)
      }
    case let layer as Split:
      fields.integer(1, layer.axis)
      switch layer.parts {
      case .equal(let count): fields.integer(2, count)
      case .sizes(let sizes):
        fields.integer(2, sizes.count)
        fields.integers(3, sizes)
      }
    case let layer as Transpose: fields.integers(1, layer.axes)
    case let layer as Gather: fields.integer(1, layer.axis)
    case let layer as Reshape:
      switch layer.target {
      case .dimensions(let numbers), .expanded(let numbers), .squeezed(let numbers?):
        fields.integers(1, numbers)
      case .squeezed(nil): fields.boolean(2, true)
      case .input: break
      }
    case let layer as ReduceMean:
      fields.integers(1, layer.axes ?? [])
      fields.boolean(2, layer.keepsDimensions)
      fields.boolean(3, layer.axes == nil)
    default: break
    }
  }

  private static func encode(_ layer: Convolution, into fields: inout WireWriter) {
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
  }

  private static func encode(_ layer: Pooling, into fields: inout WireWriter) {
    fields.integer(1, layer.operation == .maximum ? 0 : 1)
    // Create ML writes sizes of zero where the plane decides.
    let nothing = (rows: 0, columns: 0)
    let (kernel, stride) = (layer.window?.kernel ?? nothing, layer.window?.stride ?? nothing)
    fields.integers(10, [kernel.rows, kernel.columns])
    fields.integers(20, [stride.rows, stride.columns])
    edges(layer.window?.edges ?? .none, valid: 30, same: 31, into: &fields)
    fields.boolean(50, layer.excludesPadding)
    fields.boolean(60, layer.window == nil)
  }

  private static func encode(_ function: Activation.Function, into fields: inout WireWriter) {
    switch function {
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
  }

  // MARK: - Parts

  private static func weights(_ field: Int, _ values: [Float], into message: inout WireWriter) {
    message.message(field) { $0.floats(1, values) }
  }

  private static func parameter(
    _ parameter: BroadcastParameter, shape: Int, values: Int, _ message: inout WireWriter
  ) {
    message.integers(shape, parameter.shape)
    weights(values, parameter.values, into: &message)
  }

  private static func edges(
    _ edges: Window.Edges, valid: Int, same: Int, into fields: inout WireWriter
  ) {
    switch edges {
    case .explicit(let top, let bottom, let left, let right):
      fields.message(valid) { padding in
        padding.message(1) { borders(top: top, bottom: bottom, left: left, right: right, &$0) }
      }
    case .same(let topLeftHeavy):
      fields.message(same) { $0.integer(1, topLeftHeavy ? 1 : 0) }
    }
  }

  private static func borders(
    top: Int, bottom: Int, left: Int, right: Int, _ fields: inout WireWriter
  ) {
    for (start, end) in [(top, bottom), (left, right)] {
      fields.message(10) { pair in
        pair.integer(1, start)
        pair.integer(2, end)
      }
    }
  }
}
