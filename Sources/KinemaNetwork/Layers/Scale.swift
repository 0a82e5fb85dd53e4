/// Multiplies by stored factors and adds stored terms: y = s · x + b.
///
/// Factors and terms are one for all, one a channel ([channels] or [channels, 1, 1]), or spread
/// over the last three axes where they have a dimension of 1.
package struct Scale: Layer {
  package var kind: String { "scale" }

  package let scale: BroadcastParameter
  package let bias: BroadcastParameter?

  package init(scale: BroadcastParameter, bias: BroadcastParameter? = nil) {
    self.scale = scale
    self.bias = bias
  }

  package var parameterCount: Int { scale.values.count + (bias?.values.count ?? 0) }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    try scale.check(against: inputs[0].shape)
    try bias?.check(against: inputs[0].shape)
    return [inputs[0].shape]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    ScaleKernel(shape: outputs[0], scale: scale, bias: bias)
  }
}

/// Adds stored terms: y = x + b, spread as in ``Scale``.
package struct Bias: Layer {
  package var kind: String { "bias" }

  package let bias: BroadcastParameter

  package init(bias: BroadcastParameter) {
    self.bias = bias
  }

  package var parameterCount: Int { bias.values.count }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    try bias.check(against: inputs[0].shape)
    return [inputs[0].shape]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    ScaleKernel(shape: outputs[0], scale: nil, bias: bias)
  }
}

/// Stored values that are spread over the channels, rows and columns of a blob.
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
        throw NetworkError(
          .shape, "has parameters of shape \(dimensions) for a blob of \(shape)")
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

private struct ScaleKernel: Kernel {
  let shape: Shape
  let scale: BroadcastParameter?
  let bias: BroadcastParameter?

  func run(_ blobs: KernelBlobs) {
    let axis = shape.rank - 3
    let (channels, rows, columns) = (shape[axis], shape[axis + 1], shape[axis + 2])
    let scaleStrides = scale?.strides ?? (0, 0, 0)
    let biasStrides = bias?.strides ?? (0, 0, 0)
    var offset = 0
    for _ in 0..<shape.outerCount(before: axis) {
      for channel in 0..<channels {
        for row in 0..<rows {
          let scaleBase = channel * scaleStrides.0 + row * scaleStrides.1
          let biasBase = channel * biasStrides.0 + row * biasStrides.1
          for column in 0..<columns {
            var value = blobs.inputs[0][offset + column]
            if let scale { value *= scale.values[scaleBase + column * scaleStrides.2] }
            if let bias { value += bias.values[biasBase + column * biasStrides.2] }
            blobs.outputs[0][offset + column] = value
          }
          offset += columns
        }
      }
    }
  }
}
