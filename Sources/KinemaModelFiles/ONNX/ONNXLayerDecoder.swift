internal import KinemaFiles
internal import KinemaNetwork

/// Translates the operators that ``ONNXLayerEncoder`` writes back into layers.
///
/// Blobs keep ONNX's dimensions, in which the free number of windows is 1. Arithmetic on stored whole numbers is
/// done here. Where the encoder writes a layer as several operators, they become one again: those in between are
/// remembered until what uses them is known.
struct ONNXLayerDecoder {
  /// What a name stands for.
  private enum Value {
    /// What a layer makes.
    case blob
    case tensor(ONNXSpecification.Tensor)
    /// The mean of a blob along axes, which keep a length of 1.
    case mean(of: String, axes: [Int])
    /// A blob less its mean.
    case centred(of: String, axes: [Int])
    case squares(of: String, axes: [Int])
    /// The sum of the squares of a blob: of itself, or of what is left without its mean, as a mean.
    case power(of: String, axes: [Int], isCentred: Bool)
    case raisedPower(of: String, axes: [Int], isCentred: Bool, epsilon: Float)
    case root(of: String, axes: [Int], isCentred: Bool, epsilon: Float)
  }

  private(set) var nodes: [Node] = []
  private(set) var parameterCount = 0
  private var values: [String: Value]
  private var operands: [String: Operand] = [:]

  /// Translates a model with one input; throws ``SpecificationError`` and `NetworkError`.
  init(_ model: ONNXSpecification, input: String, shape: [Int]) throws {
    values = model.tensors.mapValues { .tensor($0) }
    guard values.updateValue(.blob, forKey: input) == nil else {
      throw SpecificationError.damaged("“\(input)” is its input and a stored tensor")
    }
    // The network takes one window; in ONNX there is a number of them in front.
    var windows = "\(input)_windows"
    let names = Set(model.operations.flatMap(\.outputs)).union(values.keys)
    while names.contains(windows) { windows += "_" }
    values[windows] = .blob
    operands = [
      input: Operand(shape: try Shape(shape)), windows: Operand(shape: try Shape([1] + shape)),
    ]
    nodes.append(
      Node(name: windows, layer: Reshape(.expanded(axes: [0])), inputs: [input], outputs: [windows])
    )
    for (number, operation) in model.operations.enumerated() {
      var operation = operation
      operation.inputs = operation.inputs.map { $0 == input ? windows : $0 }
      let name = operation.name.isEmpty ? "\(operation.kind)_\(number)" : operation.name
      do {
        try add(operation, name: name)
      } catch let error as NetworkError {
        throw NetworkError(error.code, "node “\(name)” (\(operation.kind)) \(error.message)")
      }
    }
  }

  // MARK: - Operators

  private mutating func add(_ node: ONNXSpecification.Operation, name: String) throws {
    switch node.kind {
    case "Conv": try emit(name, convolution(node), node, 1)
    case "Gemm": try emit(name, innerProduct(node), node, 1)
    case "BatchNormalization":
      let parts = try (1...4).map { try floats(node, $0) }
      try emit(
        name,
        BatchNormalization(
          channels: parts[0].count, gamma: parts[0], beta: parts[1], mean: parts[2],
          variance: parts[3], epsilon: node.floats["epsilon"] ?? 1e-5), node, 1)
    case "GlobalMaxPool": try emit(name, Pooling(operation: .maximum, window: nil), node, 1)
    case "GlobalAveragePool": try emit(name, Pooling(operation: .average, window: nil), node, 1)
    case "MaxPool", "AveragePool":
      let isMaximum = node.kind == "MaxPool"
      try emit(
        name,
        Pooling(
          operation: isMaximum ? .maximum : .average, window: window(node),
          excludesPadding: !isMaximum && node.integer("count_include_pad", default: 0) == 0),
        node, 1)
    case "Relu": try emit(name, Activation(.rectified), node, 1)
    case "Tanh": try emit(name, Activation(.hyperbolicTangent), node, 1)
    case "Sigmoid": try emit(name, Activation(.sigmoid), node, 1)
    case "LeakyRelu":
      let slope = node.floats["alpha"] ?? 0.01
      try emit(name, Activation(.leakyRectified(slope: slope)), node, 1)
    case "Softmax": try emit(name, Softmax(axis: node.integer("axis", default: -1)), node, 1)
    case "Add", "Mul", "Sub", "Div", "Sqrt", "ReduceMean", "ReduceSumSquare":
      try addArithmetic(node, name: name)
    case "Transpose":
      try emit(name, Transpose(axes: node.integers["perm"] ?? []), node, 1)
    case "Pad": try emit(name, padding(node), node, 1)
    default: try addArrangement(node, name: name)
    }
  }

  private mutating func addArrangement(
    _ node: ONNXSpecification.Operation, name: String
  ) throws {
    switch node.kind {
    case "Reshape": try emit(name, Reshape(target: integers(node, 1)), node, 1)
    case "Split":
      let sizes = try integers(node, 1)
      guard sizes.count == node.outputs.count else {
        throw NetworkError(.shape, "has \(node.outputs.count) outputs for \(sizes.count) parts")
      }
      try emit(name, Split(axis: node.integer("axis", default: 0), parts: .sizes(sizes)), node, 1)
    case "Shape":
      let shape = try operand(input(node, 0)).shape.dimensions
      try set(node, .tensor(.init(shape: [shape.count], integers: shape)))
    case "Gather":
      let axis = node.integer("axis", default: 0)
      if let list = tensor(try input(node, 0))?.integers {
        let places = try integers(node, 1)
        guard axis == 0, places.allSatisfy(list.indices.contains) else {
          throw NetworkError(.shape, "picks \(places.prefix(16)) of \(list.count) numbers")
        }
        try set(node, .tensor(.init(shape: [places.count], integers: places.map { list[$0] })))
      } else {
        try emit(name, Gather(axis: axis), node, 2)
      }
    case "Concat":
      let axis = node.integer("axis", default: 0)
      let lists = node.inputs.map { tensor($0)?.integers }
      if lists.allSatisfy({ $0 != nil }) {
        let list = lists.compactMap(\.self).joined()
        guard list.count <= Shape.maximumRank else {
          throw NetworkError(.limit, "joins \(list.count) numbers")
        }
        try set(node, .tensor(.init(shape: [list.count], integers: Array(list))))
      } else {
        try emit(name, Concatenation(axis: axis), node, node.inputs.count)
      }
    case "Expand":
      let target = try Shape(integers(node, 1))
      guard let stored = tensor(try input(node, 0)), let values = stored.floats,
        values.count == target.count
      else { throw NetworkError(.unsupported, "repeats what it is given") }
      try set(node, .tensor(.init(shape: target.dimensions, floats: values)))
    default: throw NetworkError(.unsupported, "is an operator that Kinema does not write")
    }
  }

  /// Sums, products and means, which are layers, or parts of one that normalises.
  private mutating func addArithmetic(
    _ node: ONNXSpecification.Operation, name: String
  ) throws {
    let first = try input(node, 0)
    let second = node.inputs.dropFirst().first ?? ""
    switch (node.kind, values[first]) {
    case ("ReduceMean", .squares(let blob, let axes)?)
    where node.integers["axes"] == axes && keepsDimensions(node):
      try set(node, .power(of: blob, axes: axes, isCentred: true))
    case ("ReduceMean", _):
      guard keepsDimensions(node), let axes = node.integers["axes"] else {
        throw NetworkError(.unsupported, "drops dimensions")
      }
      try set(node, .mean(of: first, axes: axes))
    case ("ReduceSumSquare", _):
      guard keepsDimensions(node), let axes = node.integers["axes"] else {
        throw NetworkError(.unsupported, "drops dimensions")
      }
      try set(node, .power(of: first, axes: axes, isCentred: false))
    case ("Sub", _):
      guard case .mean(first, let axes)? = values[second] else {
        throw NetworkError(.unsupported, "subtracts something other than a mean")
      }
      try set(node, .centred(of: first, axes: axes))
    case ("Mul", .centred(let blob, let axes)?) where second == first:
      try set(node, .squares(of: blob, axes: axes))
    case ("Add", .power(let blob, let axes, let isCentred)?):
      guard let epsilon = try scalar(node, 1) else {
        throw NetworkError(.unsupported, "adds something other than a number to a variance")
      }
      try set(
        node, .raisedPower(of: blob, axes: axes, isCentred: isCentred, epsilon: epsilon))
    case ("Sqrt", .raisedPower(let blob, let axes, let isCentred, let epsilon)?):
      try set(node, .root(of: blob, axes: axes, isCentred: isCentred, epsilon: epsilon))
    case ("Div", _): try normalize(node, name: name)
    case ("Mul", _): try multiply(node, name: name)
    case ("Add", _): try sum(node, name: name)
    default: throw NetworkError(.unsupported, "is not used as Kinema writes it")
    }
  }

  private func keepsDimensions(_ node: ONNXSpecification.Operation) -> Bool {
    node.integer("keepdims", default: 1) == 1
  }

  /// Division by the length of a blob, or of what is left of it without its mean.
  private mutating func normalize(_ node: ONNXSpecification.Operation, name: String) throws {
    let numerator = try input(node, 0)
    guard case .root(let blob, let axes, let isCentred, let epsilon)? = values[try input(node, 1)]
    else { throw NetworkError(.unsupported, "divides by something other than a length") }
    if isCentred {
      guard case .centred(blob, axes)? = values[numerator] else {
        throw NetworkError(.unsupported, "divides something else by a deviation")
      }
      try emit(name, meanVariance(of: blob, axes, epsilon: epsilon), [blob], node.outputs)
    } else {
      let rank = try operand(blob).shape.rank
      guard numerator == blob, rank >= 3, axes == Array(rank - 3..<rank) else {
        throw NetworkError(.unsupported, "divides something else by a length")
      }
      try emit(name, L2Normalization(epsilon: epsilon), [blob], node.outputs)
    }
  }

  /// - Parameter epsilon: `nil` to subtract the mean alone.
  private mutating func meanVariance(
    of blob: String, _ axes: [Int], epsilon: Float? = nil
  ) throws -> MeanVarianceNormalization {
    let rank = try operand(blob).shape.rank
    guard rank >= 3, [2, 3].contains(axes.count), axes == Array(rank - axes.count..<rank) else {
      throw NetworkError(.unsupported, "normalises along the axes \(axes.prefix(16))")
    }
    return try MeanVarianceNormalization(
      acrossChannels: axes.count == 3, normalizesVariance: epsilon != nil,
      epsilon: epsilon ?? 1e-5)
  }

  private mutating func multiply(_ node: ONNXSpecification.Operation, name: String) throws {
    if let factor = try scalar(node, 1) {
      try emit(name, Activation(.linear(factor: factor, term: 0)), node, 1)
    } else if let factors = tensor(try input(node, 1)), let values = factors.floats {
      try count(values)
      try emit(
        name, Scale(scale: BroadcastParameter(shape: factors.shape, values: values)), node, 1)
    } else {
      throw NetworkError(.unsupported, "multiplies two blobs")
    }
  }

  private mutating func sum(_ node: ONNXSpecification.Operation, name: String) throws {
    if let term = try scalar(node, 1) {
      try emit(name, Addition(constant: term), node, 1)
    } else if let terms = tensor(try input(node, 1)), let values = terms.floats,
      terms.shape.count == 3, tensor(try input(node, 0)) == nil
    {
      try count(values)
      try emit(name, Scale(bias: BroadcastParameter(shape: terms.shape, values: values)), node, 1)
    } else {
      try emit(name, Addition(isBroadcastable: true), node, 2)
    }
  }

  // MARK: - Names

  func input(_ node: ONNXSpecification.Operation, _ index: Int) throws -> String {
    guard node.inputs.indices.contains(index) else {
      throw NetworkError(.graph, "has \(node.inputs.count) inputs")
    }
    let name = node.inputs[index]
    guard values[name] != nil else {
      throw NetworkError(.graph, "uses “\(name)”, which nothing before it makes")
    }
    return name
  }

  private mutating func set(_ node: ONNXSpecification.Operation, _ value: Value) throws {
    guard node.outputs.count == 1, values.updateValue(value, forKey: node.outputs[0]) == nil else {
      throw NetworkError(.graph, "makes what is there already, or several things")
    }
  }

  func tensor(_ name: String) -> ONNXSpecification.Tensor? {
    if case .tensor(let tensor)? = values[name] { tensor } else { nil }
  }

  func integers(_ node: ONNXSpecification.Operation, _ index: Int) throws -> [Int] {
    guard let integers = tensor(try input(node, index))?.integers else {
      throw NetworkError(.unsupported, "takes whole numbers that are not stored")
    }
    return integers
  }

  mutating func floats(
    _ node: ONNXSpecification.Operation, _ index: Int
  ) throws -> [Float] {
    guard let floats = tensor(try input(node, index))?.floats else {
      throw NetworkError(.unsupported, "takes weights that are not stored")
    }
    try count(floats)
    return floats
  }

  /// The number in a stored tensor without dimensions; `nil` for anything else.
  func scalar(_ node: ONNXSpecification.Operation, _ index: Int) throws -> Float? {
    guard let tensor = tensor(try input(node, index)), tensor.shape.isEmpty else { return nil }
    return tensor.floats?.first
  }

  /// Adds a layer on the first inputs of a node.
  private mutating func emit(
    _ name: String, _ layer: any Layer, _ node: ONNXSpecification.Operation, _ count: Int
  ) throws {
    try emit(name, layer, (0..<count).map { try input(node, $0) }, node.outputs)
  }

  private mutating func emit(
    _ name: String, _ layer: any Layer, _ inputs: [String], _ outputs: [String]
  ) throws {
    guard layer.inputCount.contains(inputs.count) else {
      throw NetworkError(.graph, "has \(inputs.count) inputs")
    }
    let shapes = try layer.outputShapes(for: inputs.map { try operand($0) })
    guard shapes.count == outputs.count else {
      throw NetworkError(.graph, "has \(outputs.count) outputs where \(shapes.count) are made")
    }
    for (output, shape) in zip(outputs, shapes) {
      guard values.updateValue(.blob, forKey: output) == nil else {
        throw NetworkError(.graph, "makes “\(output)”, which is there already")
      }
      operands[output] = Operand(shape: shape, values: (layer as? Constant)?.values)
    }
    nodes.append(Node(name: name, layer: layer, inputs: inputs, outputs: outputs))
  }

  /// What a layer takes by a name; adds the layer that makes it, where none does yet.
  mutating func operand(_ name: String) throws -> Operand {
    if let operand = operands[name] { return operand }
    let value = values.removeValue(forKey: name)
    switch value {
    case .tensor(let tensor)?:
      let numbers = tensor.floats ?? (tensor.integers ?? []).map { Float($0) }
      try count(numbers)
      try emit(name, Constant(shape: tensor.shape, values: numbers), [], [name])
    case .mean(let blob, let axes)?:
      try emit(name, ReduceMean(axes: axes, keepsDimensions: true), [blob], [name])
    case .centred(let blob, let axes)?:
      try emit(name, meanVariance(of: blob, axes), [blob], [name])
    default:
      throw NetworkError(.unsupported, "uses “\(name)” in a way that Kinema does not write")
    }
    guard let operand = operands[name] else {
      throw NetworkError(.graph, "uses “\(name)”, which nothing makes")
    }
    return operand
  }

  mutating func count(_ weights: [Float]) throws {
    parameterCount += weights.count
    guard parameterCount <= NetworkLimits.parameters else {
      throw NetworkError(.limit, "is one of too many weights: \(parameterCount)")
    }
  }
}
