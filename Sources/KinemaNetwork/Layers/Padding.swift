/// Surrounds the last two axes with a constant.
package struct Padding: Layer {
  package var kind: String { "padding" }

  package let top: Int
  package let bottom: Int
  package let left: Int
  package let right: Int
  package let value: Float

  /// Creates a padding; throws ``NetworkError`` for negative and far too large amounts.
  package init(top: Int, bottom: Int, left: Int, right: Int, value: Float) throws {
    guard [top, bottom, left, right].allSatisfy((0...Window.maximumSize).contains) else {
      throw NetworkError(
        .parameters, "has a padding below 0 or far too large: \([top, bottom, left, right])")
    }
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

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    let width = outputs[0][outputs[0].rank - 1]
    return CopyKernel(
      fill: (value, outputs[0].count),
      moves: [
        .init(
          outputOffset: top * width + left,
          copy: StridedCopy(
            counts: inputs[0].shape.dimensions, sourceStrides: inputs[0].shape.strides,
            targetStrides: outputs[0].strides))
      ])
  }
}
