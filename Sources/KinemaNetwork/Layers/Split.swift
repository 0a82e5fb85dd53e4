/// Cuts a blob into several along an axis.
package struct Split: Layer {
  package var kind: String { "splitND" }

  package let axis: Int
  /// The number of parts of one size, or the sizes.
  package let parts: Parts

  package enum Parts: Sendable {
    case equal(Int)
    case sizes([Int])
  }

  package init(axis: Int, parts: Parts) {
    self.axis = axis
    self.parts = parts
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    let axis = try shape.axis(self.axis)
    let sizes: [Int]
    switch parts {
    case .equal(let count):
      guard (1...NetworkLimits.blobsPerNode).contains(count), shape[axis] % count == 0 else {
        throw NetworkError(.shape, "cannot cut axis \(axis) of \(shape) into \(count) parts")
      }
      sizes = [Int](repeating: shape[axis] / count, count: count)
    case .sizes(let given):
      var rest = shape[axis]
      for size in given {
        guard size > 0, size <= rest else { rest = -1; break }
        rest -= size
      }
      guard rest == 0 else {
        throw NetworkError(.shape, "cannot cut axis \(axis) of \(shape) into \(given)")
      }
      sizes = given
    }
    return try sizes.map { try shape.replacing([axis: $0]) }
  }

  package func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]? {
    guard let axis = try? inputs[0].axis(self.axis), inputs[0].outerCount(before: axis) == 1
    else { return nil }
    var offset = 0
    return outputs.map { output in
      defer { offset += output.count }
      return offset
    }
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let input = inputs[0].shape
    let rows = input.outerCount(before: (try? input.axis(axis)) ?? 0)
    var offset = 0
    return .moving(
      outputs.enumerated().map { index, output in
        let width = output.count / rows
        defer { offset += width }
        return .init(
          inputOffset: offset, output: index,
          loop: StridedLoop(
            rows: rows, width: width, sourceStride: input.count / rows, targetStride: width))
      })
  }
}
