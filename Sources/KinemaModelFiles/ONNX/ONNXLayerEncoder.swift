internal import KinemaFiles
internal import KinemaNetwork

/// Translates Core ML's layers into ONNX's operators.
///
/// In front of its dimensions in Core ML each blob has another one for the windows of a batch, whose number
/// is free. The others are known, so every layer that only gives a blob other dimensions becomes a reshape to
/// constants; where ONNX requires four dimensions, a layer is placed between two reshapes.
struct ONNXLayerEncoder {
  struct Blob {
    var name: String
    var shape: Shape
    /// Whether it is a stored tensor, which all windows share.
    var isStored = false
    /// Those in ONNX: −1 is the free number of windows.
    var dimensions: [Int] { ONNXLayerEncoder.batch(shape.dimensions) }
  }

  /// Dimensions behind the free number of windows, as reshapes write it.
  static func batch(_ dimensions: [Int]) -> [Int] { [-1] + dimensions }

  var graph = ONNXGraph()

  /// Adds a layer; throws `NetworkError` for one that has no counterpart.
  mutating func encode(
    _ layer: any Layer, inputs: [Blob], values: [[Float]?], outputs: [Blob]
  ) throws {
    let input = inputs.first ?? Blob(name: "", shape: outputs[0].shape)
    let output = outputs[0]
    switch layer {
    case let layer as Convolution: try convolution(layer, input, output)
    case let layer as InnerProduct: innerProduct(layer, input, output)
    case let layer as BatchNormalization: batchNormalization(layer, input, output)
    case let layer as Pooling: try pooling(layer, input, output)
    case let layer as Activation: activation(layer, input, output)
    case let layer as MeanVarianceNormalization: meanVariance(layer, input, output)
    case let layer as L2Normalization: length(layer, input, output)
    case let layer as Scale: scale(layer, input, output)
    case let layer as Softmax:
      let axis = try output.shape.axis(layer.axis ?? (output.shape.rank >= 3 ? -3 : -1))
      graph.add("Softmax", [input.name], to: [output.name], [("axis", .integer(axis + 1))])
    case let layer as Addition: addition(layer, inputs, output)
    case is Reshape:
      graph.reshape(input.name, to: output.dimensions, as: output.name)
    case let layer as Transpose:
      let axes = try [0] + layer.axes.map { try input.shape.axis($0) + 1 }
      graph.add("Transpose", [input.name], to: [output.name], [("perm", .integers(axes))])
    case let layer as Padding: padding(layer, input, output)
    case let layer as Concatenation: try concatenation(layer, inputs, output)
    case let layer as Split:
      let axis = try input.shape.axis(layer.axis)
      let sizes = graph.constant(
        output.name + "_sizes", shape: [outputs.count],
        integers: outputs.map { $0.shape.dimensions[axis] })
      graph.add(
        "Split", [input.name, sizes], to: outputs.map(\.name), [("axis", .integer(axis + 1))])
    case let layer as Gather: try gather(layer, inputs, indices: values.last ?? nil, output)
    case let layer as ReduceMean: try mean(layer, input, output)
    default: throw NetworkError(.unsupported, "has no counterpart in ONNX")
    }
  }

  // MARK: - Layers with weights

  private mutating func convolution(
    _ layer: Convolution, _ input: Blob, _ output: Blob
  ) throws {
    let window = layer.window
    let (rows, columns) = window.kernel
    let parameters = weights(
      layer.weights, [layer.outputChannels, layer.kernelChannels, rows, columns], layer.bias, output
    )
    let pads = try pads(of: window, on: input.shape)
    inFourDimensions(input, output) { graph, input, output in
      graph.add(
        "Conv", [input] + parameters, to: [output],
        [
          ("dilations", .integers([window.dilation.rows, window.dilation.columns])),
          ("group", .integer(layer.groups)),
          ("kernel_shape", .integers([rows, columns])), ("pads", .integers(pads)),
          ("strides", .integers([window.stride.rows, window.stride.columns])),
        ])
    }
  }

  private mutating func innerProduct(_ layer: InnerProduct, _ input: Blob, _ output: Blob) {
    let parameters = weights(
      layer.weights, [layer.outputChannels, layer.inputChannels], layer.bias, output)
    let flat = graph.reshaped(
      input.name, from: input.dimensions, to: Self.batch([layer.inputChannels]))
    around(output, Self.batch([layer.outputChannels])) { graph, output in
      graph.add("Gemm", [flat] + parameters, to: [output], [("transB", .integer(1))])
    }
  }

  /// Stores a product's weights and, where there is one, its bias.
  private mutating func weights(
    _ values: [Float], _ shape: [Int], _ bias: [Float]?, _ output: Blob
  ) -> [String] {
    [graph.constant(output.name + "_weight", shape: shape, values)]
      + (bias.map { [graph.constant(output.name + "_bias", shape: [$0.count], $0)] } ?? [])
  }

  private mutating func batchNormalization(
    _ layer: BatchNormalization, _ input: Blob, _ output: Blob
  ) {
    let channels = layer.gamma.count
    let parameters = [
      ("gamma", layer.gamma), ("beta", layer.beta), ("mean", layer.mean),
      ("variance", layer.variance),
    ].map { graph.constant("\(output.name)_\($0.0)", shape: [channels], $0.1) }
    inFourDimensions(input, output) { graph, input, output in
      graph.add(
        "BatchNormalization", [input] + parameters, to: [output],
        [("epsilon", .float(layer.epsilon))])
    }
  }

  private mutating func scale(_ layer: Scale, _ input: Blob, _ output: Blob) {
    var name = input.name
    if let scale = layer.scale {
      let product = layer.bias == nil ? output.name : graph.unusedName(output.name + "_product")
      graph.add("Mul", [name, parameter(scale, output.name + "_scale")], to: [product])
      name = product
    }
    if let bias = layer.bias {
      graph.add("Add", [name, parameter(bias, output.name + "_bias")], to: [output.name])
    }
  }

  private mutating func parameter(_ parameter: BroadcastParameter, _ name: String) -> String {
    let shape = parameter.shape.count == 1 ? [parameter.shape[0], 1, 1] : parameter.shape
    return graph.constant(name, shape: shape, parameter.values)
  }

  // MARK: - Statistics

  private mutating func pooling(_ layer: Pooling, _ input: Blob, _ output: Blob) throws {
    let isMaximum = layer.operation == .maximum
    guard let window = layer.window else {
      inFourDimensions(input, output) { graph, input, output in
        graph.add(isMaximum ? "GlobalMaxPool" : "GlobalAveragePool", [input], to: [output])
      }
      return
    }
    let pads = try pads(of: window, on: input.shape)
    let common: [(String, ONNXMessages.Attribute)] = [
      ("kernel_shape", .integers([window.kernel.rows, window.kernel.columns])),
      ("pads", .integers(pads)),
      ("strides", .integers([window.stride.rows, window.stride.columns])),
    ]
    let counted = [
      ("count_include_pad", ONNXMessages.Attribute.integer(layer.excludesPadding ? 0 : 1))
    ]
    inFourDimensions(input, output) { graph, input, output in
      graph.add(
        isMaximum ? "MaxPool" : "AveragePool", [input], to: [output],
        (isMaximum ? [] : counted) + common)
    }
  }

  private mutating func meanVariance(
    _ layer: MeanVarianceNormalization, _ input: Blob, _ output: Blob
  ) {
    let rank = input.shape.rank
    let axes = Array((layer.acrossChannels ? rank - 2 : rank - 1)...rank)
    let mean = graph.added(
      "ReduceMean", [input.name], output.name + "_mean", [("axes", .integers(axes))])
    guard layer.normalizesVariance else {
      return graph.add("Sub", [input.name, mean], to: [output.name])
    }
    let centred = graph.added("Sub", [input.name, mean], output.name + "_centred")
    let squares = graph.added("Mul", [centred, centred], output.name + "_squares")
    let variance = graph.added(
      "ReduceMean", [squares], output.name + "_variance", [("axes", .integers(axes))])
    divide(centred, byRootOf: variance, plus: layer.epsilon, output)
  }

  private mutating func length(_ layer: L2Normalization, _ input: Blob, _ output: Blob) {
    let rank = input.shape.rank
    let sum = graph.added(
      "ReduceSumSquare", [input.name], output.name + "_squares",
      [("axes", .integers(Array((rank - 2)...rank)))])
    divide(input.name, byRootOf: sum, plus: layer.epsilon, output)
  }

  /// y = x / √(v + ε), and 0 where both are 0.
  private mutating func divide(
    _ numerator: String, byRootOf squares: String, plus epsilon: Float, _ output: Blob
  ) {
    let least = graph.constant(
      output.name + "_epsilon", shape: [], [max(epsilon, .leastNormalMagnitude)])
    let sum = graph.added("Add", [squares, least], output.name + "_sum")
    let root = graph.added("Sqrt", [sum], output.name + "_root")
    graph.add("Div", [numerator, root], to: [output.name])
  }

  private mutating func mean(_ layer: ReduceMean, _ input: Blob, _ output: Blob) throws {
    let rank = input.shape.rank
    let axes = try layer.axes?.map { try input.shape.axis($0) + 1 } ?? Array(1...rank)
    let shape = input.dimensions.enumerated().map { axes.contains($0.offset) ? 1 : $0.element }
    around(output, shape) { graph, output in
      graph.add("ReduceMean", [input.name], to: [output], [("axes", .integers(Set(axes).sorted()))])
    }
  }

  // MARK: - Layers without weights

  private mutating func activation(_ layer: Activation, _ input: Blob, _ output: Blob) {
    switch layer.function {
    case .rectified: graph.add("Relu", [input.name], to: [output.name])
    case .leakyRectified(let slope):
      graph.add("LeakyRelu", [input.name], to: [output.name], [("alpha", .float(slope))])
    case .hyperbolicTangent: graph.add("Tanh", [input.name], to: [output.name])
    case .sigmoid: graph.add("Sigmoid", [input.name], to: [output.name])
    case .linear(let factor, let term):
      let product = graph.added(
        "Mul", [input.name, graph.constant(output.name + "_factor", shape: [], [factor])],
        output.name + "_product")
      let constant = graph.constant(output.name + "_term", shape: [], [term])
      graph.add("Add", [product, constant], to: [output.name])
    }
  }

  private mutating func addition(_ layer: Addition, _ inputs: [Blob], _ output: Blob) {
    guard inputs.count > 1 else {
      let constant = graph.constant(output.name + "_term", shape: [], [layer.constant])
      return graph.add("Add", [inputs[0].name, constant], to: [output.name])
    }
    let terms = inputs.map { ranked($0, output.shape.rank) }
    var sum = terms[0]
    for (index, term) in terms.enumerated().dropFirst() {
      if index == terms.count - 1 {
        graph.add("Add", [sum, term], to: [output.name])
      } else {
        sum = graph.added("Add", [sum, term], output.name + "_sum")
      }
    }
  }

  private mutating func padding(_ layer: Padding, _ input: Blob, _ output: Blob) {
    let front = [Int](repeating: 0, count: input.shape.rank - 1)
    let pads = graph.constant(
      output.name + "_pads", shape: [2 * (input.shape.rank + 1)],
      integers: front + [layer.top, layer.left] + front + [layer.bottom, layer.right])
    let value = graph.constant(output.name + "_value", shape: [], [layer.value])
    graph.add("Pad", [input.name, pads, value], to: [output.name])
  }

  private mutating func concatenation(
    _ layer: Concatenation, _ inputs: [Blob], _ output: Blob
  ) throws {
    let mixesRanks = inputs.contains { $0.shape.rank != inputs[0].shape.rank }
    let axis = mixesRanks ? 1 : try output.shape.axis(layer.axis) + 1
    let first = inputs.first { !$0.isStored }
    let parts = inputs.map { input in
      let whole = input.isStored ? repeated(input, as: first) : input.name
      return mixesRanks
        ? graph.reshaped(whole, from: input.dimensions, to: Self.batch([input.shape.count])) : whole
    }
    graph.add("Concat", parts, to: [output.name], [("axis", .integer(axis))])
  }

  private mutating func gather(
    _ layer: Gather, _ inputs: [Blob], indices: [Float]?, _ output: Blob
  ) throws {
    guard let indices else {
      throw NetworkError(.unsupported, "picks by indices that are computed from the input")
    }
    let axis = try inputs[0].shape.axis(layer.axis)
    let integers = indices.compactMap { Int(rounding: $0) }
    guard integers.count == indices.count else {
      throw NetworkError(.unsupported, "picks by indices that are not integers")
    }
    let constant = graph.constant(
      output.name + "_indices", shape: inputs[1].shape.dimensions, integers: integers)
    graph.add(
      "Gather", [inputs[0].name, constant], to: [output.name], [("axis", .integer(axis + 1))])
  }

  // MARK: - Dimensions

  /// A term with ones in front, so that its last dimensions meet those of a sum; a stored one does so by itself.
  private mutating func ranked(_ term: Blob, _ rank: Int) -> String {
    guard !term.isStored, term.shape.rank < rank else { return term.name }
    let ones = [Int](repeating: 1, count: rank - term.shape.rank)
    return graph.reshaped(
      term.name, from: term.dimensions, to: Self.batch(ones + term.shape.dimensions))
  }

  /// A stored tensor once for each window of a computed blob.
  private mutating func repeated(_ stored: Blob, as computed: Blob?) -> String {
    guard let computed else { return stored.name }
    let zero = graph.constant(stored.name + "_first", shape: [1], integers: [0])
    let all = graph.added("Shape", [computed.name], stored.name + "_shape")
    let windows = graph.added("Gather", [all, zero], stored.name + "_windows")
    let rest = graph.constant(
      stored.name + "_rest", shape: [stored.shape.rank], integers: stored.shape.dimensions)
    let target = graph.added(
      "Concat", [windows, rest], stored.name + "_all", [("axis", .integer(0))])
    return graph.added("Expand", [stored.name, target], stored.name + "_repeated")
  }

  /// The padding of a window in ONNX's order: in front of rows and columns, then behind.
  private func pads(of window: Window, on shape: Shape) throws -> [Int] {
    let rows = try window.rows(on: shape.dimensions[shape.rank - 2])
    let columns = try window.columns(on: shape.dimensions[shape.rank - 1])
    return [rows.before, columns.before, rows.after, columns.after]
  }

  /// Adds what works on [batch, channels, rows, columns] for blobs whose last three axes these are.
  private mutating func inFourDimensions(
    _ input: Blob, _ output: Blob, _ add: (inout ONNXGraph, String, String) -> Void
  ) {
    let flat = graph.reshaped(
      input.name, from: input.dimensions, to: Self.fourDimensions(input.dimensions))
    around(output, Self.fourDimensions(output.dimensions)) { graph, name in
      add(&graph, flat, name)
    }
  }

  /// Adds what makes a blob of other dimensions than the output has, and brings it to the output's.
  private mutating func around(
    _ output: Blob, _ dimensions: [Int], _ add: (inout ONNXGraph, String) -> Void
  ) {
    guard dimensions != output.dimensions else { return add(&graph, output.name) }
    let name = graph.unusedName(output.name + "_raw")
    add(&graph, name)
    graph.reshape(name, to: output.dimensions, as: output.name)
  }

  private static func fourDimensions(_ dimensions: [Int]) -> [Int] {
    batch(dimensions.suffix(3))
  }
}
