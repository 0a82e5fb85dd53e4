/// Permutes the axes: axis `a` of the output is axis `axes[a]` of the input.
package struct Transpose: Layer {
  package var kind: String { "transpose" }

  package let axes: [Int]

  package init(axes: [Int]) { self.axes = axes }

  /// The axes counted from the front; throws where they are not a permutation.
  func order(of shape: Shape) throws -> [Int] {
    let order = try axes.map(shape.axis)
    guard Set(order).count == shape.rank, order.count == shape.rank else {
      throw NetworkError(.shape, "has the axes \(axes) for a blob of \(shape)")
    }
    return order
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    return [try Shape(try order(of: shape).map { shape[$0] })]
  }

  package func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]? {
    guard let order = try? order(of: inputs[0]) else { return nil }
    let moved = order.filter { inputs[0][$0] != 1 }
    return moved == moved.sorted() ? [0] : nil
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let shape = inputs[0].shape
    let strides = shape.strides
    let order = (try? order(of: shape)) ?? Array(0..<shape.rank)
    return .moving([
      .init(
        loop: StridedLoop(
          counts: outputs[0].dimensions, sourceStrides: order.map { strides[$0] },
          targetStrides: outputs[0].strides))
    ])
  }
}
