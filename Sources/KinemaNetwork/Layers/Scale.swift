/// Multiplies by stored factors and adds stored terms: y = s · x + b.
///
/// Each is one for all, one a channel ([channels] or [channels, 1, 1]), or broadcast over the last
/// three axes where it has a dimension of 1.
package struct Scale: Layer {
  /// The specification has a layer of its own for terms alone.
  package var kind: String { scale == nil ? "bias" : "scale" }

  package let scale: BroadcastParameter?
  package let bias: BroadcastParameter?

  package init(scale: BroadcastParameter? = nil, bias: BroadcastParameter? = nil) {
    self.scale = scale
    self.bias = bias
  }

  package var parameterCount: Int { (scale?.values.count ?? 0) + (bias?.values.count ?? 0) }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    try scale?.check(against: inputs[0].shape)
    try bias?.check(against: inputs[0].shape)
    return [inputs[0].shape]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let (shape, scale, bias) = (outputs[0], scale, bias)
    let axis = shape.rank - 3
    let (channels, rows, columns) = (shape[axis], shape[axis + 1], shape[axis + 2])
    let scaleStrides = scale?.strides ?? (0, 0, 0)
    let biasStrides = bias?.strides ?? (0, 0, 0)
    return Kernel { blobs in
      for line in 0..<(shape.count / columns) {
        let (channel, row) = (line / rows % channels, line % rows)
        let scaleBase = channel * scaleStrides.0 + row * scaleStrides.1
        let biasBase = channel * biasStrides.0 + row * biasStrides.1
        for column in 0..<columns {
          var value = blobs.inputs[0][line * columns + column]
          if let scale { value *= scale.values[scaleBase + column * scaleStrides.2] }
          if let bias { value += bias.values[biasBase + column * biasStrides.2] }
          blobs.outputs[0][line * columns + column] = value
        }
      }
    }
  }
}

/// Stored values that are broadcast over the channels, rows and columns of a blob.
package struct BroadcastParameter: Sendable {
  /// The shape as the specification has it, of one or three dimensions.
  package let shape: [Int]
  package let values: [Float]
  /// Channels, rows, columns; 1 where one value serves all.
  private let dimensions: [Int]

  /// Creates a parameter of shape [1], [channels] or [channels, rows, columns].
  package init(shape: [Int], values: [Float]) throws {
    guard shape.count == 1 || shape.count == 3, shape.allSatisfy({ $0 > 0 }) else {
      throw NetworkError(.parameters, "has parameters of shape \(shape)")
    }
    let count = try checkedProduct(shape, of: "parameters")
    guard values.count == count else {
      throw NetworkError(.parameters, "has \(values.count) parameters instead of \(count)")
    }
    self.shape = shape
    self.dimensions = shape.count == 1 ? [shape[0], 1, 1] : shape
    self.values = values
  }

  func check(against shape: Shape) throws {
    let axis = try shape.channelAxis()
    for offset in 0..<3 where dimensions[offset] != 1 {
      guard dimensions[offset] == shape[axis + offset] else {
        throw NetworkError(.shape, "has parameters of shape \(dimensions) for a blob of \(shape)")
      }
    }
  }

  /// The distance between neighbours along channels, rows and columns; 0 where one serves all.
  var strides: (Int, Int, Int) {
    (
      dimensions[0] == 1 ? 0 : dimensions[1] * dimensions[2],
      dimensions[1] == 1 ? 0 : dimensions[2], dimensions[2] == 1 ? 0 : 1
    )
  }
}
