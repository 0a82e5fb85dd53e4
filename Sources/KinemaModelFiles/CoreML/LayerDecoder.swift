internal import KinemaNetwork

/// Reads `NeuralNetworkLayer` messages.
///
/// Values that are absent have the specification's defaults; a stored bias counts only where
/// `hasBias` says so, as the specification has it, though some of Create ML's hand classifiers
/// store one without.
struct LayerDecoder {
  private(set) var kindFields: [Int] = []
  private(set) var weights = WeightDecoder()

  /// Reads one layer; throws ``SpecificationError`` and `NetworkError`.
  mutating func node(_ message: WireReader) throws -> Node {
    var name = ""
    var inputs: [String] = []
    var outputs: [String] = []
    var kind: Int?
    var parameters = WireReader([])
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: name = try field.text()
      case 2: inputs.append(try field.text())
      case 3: outputs.append(try field.text())
      case 100...:
        guard kind == nil else {
          throw SpecificationError.damaged("layer “\(name)” is of two kinds")
        }
        kind = field.number
        parameters = try field.message()
      default: break
      }
      guard inputs.count <= NetworkLimits.blobsPerNode,
        outputs.count <= NetworkLimits.blobsPerNode
      else {
        throw SpecificationError(
          .tooLarge, "has a layer of more than \(NetworkLimits.blobsPerNode) inputs or outputs")
      }
    }
    guard let kind else {
      throw SpecificationError.damaged("layer “\(name)” has no kind")
    }
    kindFields.append(kind)
    do {
      return Node(name: name, layer: try layer(kind, parameters), inputs: inputs, outputs: outputs)
    } catch let error as NetworkError {
      throw NetworkError(
        error.code, "layer “\(name)” (\(LayerKind.name(ofField: kind))) \(error.message)")
    } catch let error as SpecificationError {
      throw SpecificationError(
        error.code,
        "\(error.message) (in layer “\(name)”, \(LayerKind.name(ofField: kind)))")
    }
  }

  private mutating func layer(_ kind: Int, _ message: WireReader) throws -> any Layer {
    let fields = try Fields(message)
    switch LayerKind.name(ofField: kind) {
    case "convolution": return try convolution(fields)
    case "pooling": return try pooling(fields)
    case "activation": return try activation(fields)
    case "innerProduct":
      let (inputs, outputs) = (try fields.integer(1), try fields.integer(2))
      let count = try checkedProduct([inputs, outputs], of: "weights")
      return try InnerProduct(
        inputChannels: inputs, outputChannels: outputs,
        weights: weights.weights(fields.message(20), count: count, rows: outputs),
        bias: fields.boolean(10)
          ? weights.weights(fields.message(21), count: outputs, rows: 1) : nil)
    case "batchnorm": return try batchNormalization(fields)
    case "mvn":
      return try MeanVarianceNormalization(
        acrossChannels: fields.boolean(1), normalizesVariance: fields.boolean(2),
        epsilon: fields.float(3, default: 1e-5))
    case "l2normalize": return try L2Normalization(epsilon: fields.float(1, default: 1e-6))
    case "softmax": return Softmax(axis: nil)
    case "softmaxND": return Softmax(axis: try fields.integer(1))
    case "padding": return try padding(fields)
    case "add": return Addition(constant: try fields.finite(1))
    case "addBroadcastable": return Addition(isBroadcastable: true)
    case "scale":
      return Scale(
        scale: try parameter(fields, shape: 1, values: 2),
        bias: try fields.boolean(3) ? try parameter(fields, shape: 4, values: 5) : nil)
    case "bias": return Scale(bias: try parameter(fields, shape: 1, values: 2))
    case "loadConstantND":
      let shape = try fields.integers(1)
      let count = try Shape(shape).count
      return try Constant(
        shape: shape, values: weights.weights(fields.message(2), count: count, rows: 1))
    default: return try arrangement(LayerKind.name(ofField: kind), fields)
    }
  }

  /// The layers that join, cut and arrange blobs.
  private func arrangement(_ kind: String, _ fields: Fields) throws -> any Layer {
    switch kind {
    case "concat": return Concatenation(axis: try fields.boolean(100) ? -5 : -3, isNamed: true)
    case "concatND":
      guard try !fields.boolean(2) else {
        throw NetworkError(.unsupported, "interleaves, which is not supported")
      }
      return Concatenation(axis: try fields.integer(1))
    case "splitND":
      let sizes = try fields.integers(3)
      return Split(
        axis: try fields.integer(1),
        parts: sizes.isEmpty ? .equal(try fields.integer(2)) : .sizes(sizes))
    case "transpose": return Transpose(axes: try fields.integers(1))
    case "gather": return Gather(axis: try fields.integer(1))
    case "getShape": return GetShape()
    case "squeeze":
      return Reshape(.squeezed(axes: try fields.boolean(2) ? nil : try fields.integers(1)))
    case "expandDims": return Reshape(.expanded(axes: try fields.integers(1)))
    case "reshapeStatic": return Reshape(target: try fields.integers(1))
    case "reshapeDynamic": return Reshape(.input)
    case "reduceMean":
      return ReduceMean(
        axes: try fields.boolean(3) ? nil : try fields.integers(1),
        keepsDimensions: try fields.boolean(2))
    default:
      throw NetworkError(.unsupported, "is of a kind that action classifiers do not use")
    }
  }

  // MARK: - Layers with weights

  private mutating func convolution(_ fields: Fields) throws -> Convolution {
    guard try !fields.boolean(60) else {
      throw NetworkError(.unsupported, "is a deconvolution, which is not supported")
    }
    let outputs = try fields.integer(1)
    let channels = try fields.integer(2)
    let groups = try fields.integer(10)
    let window = try Window(
      kernel: fields.pair(20, default: 3), stride: fields.pair(30, default: 1),
      dilation: fields.pair(40, default: 1), edges: fields.edges(valid: 50, same: 51))
    let count = try checkedProduct(
      [outputs, channels, window.kernel.rows, window.kernel.columns], of: "weights")
    return try Convolution(
      outputChannels: outputs, kernelChannels: channels, groups: groups == 0 ? 1 : groups,
      window: window,
      weights: weights.weights(fields.message(90), count: count, rows: outputs),
      bias: fields.boolean(70)
        ? weights.weights(fields.message(91), count: outputs, rows: 1) : nil)
  }

  private mutating func batchNormalization(_ fields: Fields) throws -> BatchNormalization {
    guard try !fields.boolean(5), try !fields.boolean(6) else {
      throw NetworkError(
        .unsupported, "computes its statistics from the input, which is not supported")
    }
    let channels = try checkedProduct([fields.integer(1)], of: "channels")
    guard channels <= Shape.maximumCount else {
      throw NetworkError(.limit, "has \(channels) channels")
    }
    func statistic(_ number: Int, _ standard: Float) throws -> [Float] {
      guard fields.has(number) else { return [Float](repeating: standard, count: channels) }
      return try weights.weights(fields.message(number), count: channels, rows: 1)
    }
    return try BatchNormalization(
      channels: channels, gamma: statistic(15, 1), beta: statistic(16, 0), mean: statistic(17, 0),
      variance: statistic(18, 1), epsilon: fields.float(10, default: 1e-5))
  }

  private mutating func parameter(
    _ fields: Fields, shape: Int, values: Int
  ) throws -> BroadcastParameter {
    let shape = try fields.integers(shape)
    let count = try checkedProduct(shape, of: "parameters")
    return try BroadcastParameter(
      shape: shape, values: weights.weights(fields.message(values), count: count, rows: 1))
  }

  // MARK: - Layers without weights

  private func pooling(_ fields: Fields) throws -> Pooling {
    let operation: Pooling.Operation
    switch try fields.integer(1) {
    case 0: operation = .maximum
    case 1: operation = .average
    default: throw NetworkError(.unsupported, "pools by a rule that is not supported (L2)")
    }
    var window: Window?
    if try !fields.boolean(60) {
      guard !fields.has(32) else {
        throw NetworkError(.unsupported, "includes the last pixel, which is not supported")
      }
      window = try Window(
        kernel: fields.pair(10, default: 3), stride: fields.pair(20, default: 1),
        edges: fields.edges(valid: 30, same: 31))
    }
    return Pooling(operation: operation, window: window, excludesPadding: try fields.boolean(50))
  }

  private func activation(_ fields: Fields) throws -> Activation {
    if fields.has(10) { return Activation(.rectified) }
    if fields.has(30) { return Activation(.hyperbolicTangent) }
    if fields.has(40) { return Activation(.sigmoid) }
    if fields.has(5) {
      let linear = try Fields(fields.message(5))
      return Activation(.linear(factor: try linear.finite(1), term: try linear.finite(2)))
    }
    if fields.has(15) {
      return Activation(.leakyRectified(slope: try Fields(fields.message(15)).finite(1)))
    }
    throw NetworkError(.unsupported, "applies a function that is not supported")
  }

  private func padding(_ fields: Fields) throws -> Padding {
    guard fields.has(1) else {
      throw NetworkError(.unsupported, "pads by reflection or replication, which is not supported")
    }
    let edges = try Fields.borders(fields.message(10))
    return try Padding(
      top: edges.top, bottom: edges.bottom, left: edges.left, right: edges.right,
      value: Fields(fields.message(1)).finite(1))
  }
}
