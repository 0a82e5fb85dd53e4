/// Selects slices along an axis by constant indices: y[…, i, …] = x[…, indices[i], …].
package struct Gather: Layer {
  package var kind: String { "gather" }

  package let axis: Int

  package init(axis: Int) { self.axis = axis }

  package var inputCount: ClosedRange<Int> { 2...2 }

  private func indices(_ inputs: [Operand], axis: Int) throws -> [Int] {
    guard let indices = inputs[1].integers else {
      throw NetworkError(.unsupported, "picks by indices that are computed from the input")
    }
    guard indices.count <= 4096 else {
      throw NetworkError(.limit, "picks \(indices.count) slices where 4096 are possible")
    }
    let size = inputs[0].shape[axis]
    return try indices.map { index in
      guard index >= -size, index < size else {
        throw NetworkError(.shape, "picks element \(index) of \(size)")
      }
      return index < 0 ? index + size : index
    }
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    let axis = try shape.axis(self.axis)
    _ = try indices(inputs, axis: axis)
    return [
      try Shape(
        Array(shape.dimensions[..<axis]) + inputs[1].shape.dimensions
          + Array(shape.dimensions[(axis + 1)...]))
    ]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let shape = inputs[0].shape
    guard let axis = try? shape.axis(self.axis), let indices = try? indices(inputs, axis: axis)
    else { preconditionFailure("a gather was bound to a shape that it had not accepted") }
    let outer = shape.outerCount(before: axis)
    let inner = shape.innerCount(after: axis)
    return .moving(
      indices.enumerated().map { position, index in
        .init(
          inputOffset: index * inner, outputOffset: position * inner,
          loop: StridedLoop(
            rows: outer, width: inner, sourceStride: shape[axis] * inner,
            targetStride: indices.count * inner))
      })
  }
}
