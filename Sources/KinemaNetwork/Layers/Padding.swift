/// Pads the last two axes with a constant.
package struct Padding: Layer {
  package var kind: String { "padding" }

  package let top: Int
  package let bottom: Int
  package let left: Int
  package let right: Int
  package let value: Float

  /// Creates a padding; throws ``NetworkError`` for negative and far too large amounts.
  package init(top: Int, bottom: Int, left: Int, right: Int, value: Float) throws {
    try Window.checkPadding([top, bottom, left, right])
    self.top = top
    self.bottom = bottom
    self.left = left
    self.right = right
    self.value = value
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    guard shape.rank >= 2 else {
      throw NetworkError(.shape, "takes at least two dimensions but gets \(shape)")
    }
    return [
      try shape.replacing([
        shape.rank - 2: shape[shape.rank - 2] + top + bottom,
        shape.rank - 1: shape[shape.rank - 1] + left + right,
      ])
    ]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let (input, output, value) = (inputs[0].shape, outputs[0], value)
    let offset = top * output[output.rank - 1] + left
    let loop = StridedLoop(
      counts: input.dimensions, sourceStrides: input.strides, targetStrides: output.strides)
    return Kernel { blobs in
      blobs.outputs[0].update(repeating: value, count: output.count)
      loop.copy(blobs.inputs[0], to: blobs.outputs[0] + offset)
    }
  }
}
