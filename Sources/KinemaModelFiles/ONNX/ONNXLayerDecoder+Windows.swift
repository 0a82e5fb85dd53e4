internal import KinemaNetwork

/// The layers that slide over a blob, pad it, or multiply it by stored weights.
extension ONNXLayerDecoder {
  mutating func convolution(_ node: ONNXSpecification.Operation) throws -> Convolution {
    guard let weights = tensor(try input(node, 1)), let values = weights.floats,
      weights.shape.count == 4
    else { throw NetworkError(.unsupported, "has no stored weights of four dimensions") }
    let window = try window(node)
    guard weights.shape.suffix(2) == [window.kernel.rows, window.kernel.columns] else {
      throw NetworkError(.parameters, "has weights of \(weights.shape) for another kernel")
    }
    try count(values)
    return try Convolution(
      outputChannels: weights.shape[0], kernelChannels: weights.shape[1],
      groups: node.integer("group", default: 1), window: window, weights: values,
      bias: node.inputs.count > 2 ? floats(node, 2) : nil)
  }

  mutating func innerProduct(
    _ node: ONNXSpecification.Operation
  ) throws -> InnerProduct {
    guard node.integer("transB", default: 0) == 1, node.integer("transA", default: 0) == 0,
      node.floats["alpha"] ?? 1 == 1, node.floats["beta"] ?? 1 == 1,
      let weights = tensor(try input(node, 1)), let values = weights.floats,
      weights.shape.count == 2
    else { throw NetworkError(.unsupported, "is a product that Kinema does not write") }
    try count(values)
    return try InnerProduct(
      inputChannels: weights.shape[1], outputChannels: weights.shape[0], weights: values,
      bias: node.inputs.count > 2 ? floats(node, 2) : nil)
  }

  func window(_ node: ONNXSpecification.Operation) throws -> Window {
    func pair(_ name: String, default standard: [Int]?) throws -> (rows: Int, columns: Int) {
      guard let values = node.integers[name] ?? standard, values.count == 2 else {
        throw NetworkError(.parameters, "has no \(name) of two numbers")
      }
      return (values[0], values[1])
    }
    let pads = node.integers["pads"] ?? [0, 0, 0, 0]
    guard pads.count == 4, node.integers["ceil_mode"] ?? [0] == [0] else {
      throw NetworkError(.parameters, "has a padding of \(pads.count) numbers, or rounds up")
    }
    return try Window(
      kernel: pair("kernel_shape", default: nil), stride: pair("strides", default: [1, 1]),
      dilation: pair("dilations", default: [1, 1]),
      edges: .explicit(top: pads[0], bottom: pads[2], left: pads[1], right: pads[3]))
  }

  mutating func padding(_ node: ONNXSpecification.Operation) throws -> Padding {
    let (pads, rank) = (try integers(node, 1), try operand(input(node, 0)).shape.rank)
    guard rank >= 2, pads.count == 2 * rank, pads[..<(rank - 2)].allSatisfy({ $0 == 0 }),
      pads[rank..<(2 * rank - 2)].allSatisfy({ $0 == 0 })
    else { throw NetworkError(.unsupported, "pads other axes than the last two") }
    return try Padding(
      top: pads[rank - 2], bottom: pads[2 * rank - 2], left: pads[rank - 1],
      right: pads[2 * rank - 1], value: try scalar(node, 2) ?? 0)
  }
}
