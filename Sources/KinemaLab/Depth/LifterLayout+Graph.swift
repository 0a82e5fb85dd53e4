import KinemaDepth
import KinemaNetwork

extension LifterLayout {
  /// The network as layers of the Core ML specification.
  func graph(_ values: [Float]) throws -> Graph {
    var writer = LayerWriter(values: values)
    let (tokens, width) = (Self.tokenCount, size.width)
    let shared = Self.sharedSize
    writer.graph.add(
      "parts", Split(axis: 1, parts: .sizes([tokens * Self.momentSize, shared])),
      outputs: ["moments", "shared"])
    // The weights of a product with both are those of a product with each.
    try writer.add("embedShared", embed, columns: Self.momentSize..<embed.inputs, from: "shared")
    writer.graph.add("sharedToken", Reshape(target: [1, 1, width]))
    writer.graph.add(
      "tokens", Reshape(target: [1, tokens, Self.momentSize]), from: ["moments"])
    try writer.add("embed", embed, columns: 0..<Self.momentSize, hasBiases: false)
    writer.graph.add(
      "places",
      try Constant(
        shape: [1, tokens, width], values: Array(values[places..<(places + tokens * width)])),
      from: [])
    writer.graph.add(
      "state", Addition(isBroadcastable: true), from: ["embed", "sharedToken", "places"])
    for (number, block) in blocks.enumerated() {
      let source = writer.graph.current
      writer.graph.add("turn\(number)", Transpose(axes: [0, 2, 1]))
      try writer.add("mix\(number)", rectified: block.mix.0)
      try writer.add("mixed\(number)", block.mix.1)
      writer.graph.add("turnBack\(number)", Transpose(axes: [0, 2, 1]))
      writer.graph.add("mixSum\(number)", Addition(), from: [source, writer.graph.current])
      try writer.add("change\(number)", residual: block.change)
    }
    writer.graph.add("together", Reshape(target: [1, tokens * width]))
    try writer.add("gather", rectified: gather)
    for (number, residual) in head.enumerated() {
      try writer.add("head\(number)", residual: residual)
    }
    try writer.add("body", last)
    return Graph(
      inputName: Self.inputName, inputShape: [1, LiftWindow.inputCount], nodes: writer.graph.nodes)
  }
}

/// Writes products of a layout as layers.
private struct LayerWriter {
  let values: [Float]
  var graph = GraphWriter(input: LifterLayout.inputName)

  /// - Parameter columns: The inputs that the layer reads; `nil` for all.
  mutating func add(
    _ name: String, _ product: LifterLayout.Product, columns: Range<Int>? = nil,
    hasBiases: Bool = true, from source: String? = nil
  ) throws {
    let columns = columns ?? 0..<product.inputs
    let weights = (0..<product.outputs).flatMap { row in
      let start = product.weights + row * product.inputs
      return values[(start + columns.lowerBound)..<(start + columns.upperBound)]
    }
    let biases = Array(values[product.biases..<(product.biases + product.outputs)])
    graph.add(
      name,
      try InnerProduct(
        inputChannels: columns.count, outputChannels: product.outputs, weights: weights,
        bias: hasBiases ? biases : nil), from: source.map { [$0] })
  }

  mutating func add(_ name: String, rectified product: LifterLayout.Product) throws {
    try add(name, product)
    graph.add("\(name)Rectified", Activation(.rectified))
  }

  mutating func add(_ name: String, residual: LifterLayout.Residual) throws {
    let source = graph.current
    try add("\(name)Widen", rectified: residual.0)
    try add("\(name)Add", residual.1)
    graph.add("\(name)Sum", Addition(), from: [source, "\(name)Add"])
  }
}
