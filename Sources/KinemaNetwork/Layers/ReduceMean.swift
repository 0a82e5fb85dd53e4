/// Takes the mean along axes: y = Σ x / n.
package struct ReduceMean: Layer {
  package var kind: String { "reduceMean" }

  /// The axes; `nil` for all.
  package let axes: [Int]?
  package let keepsDimensions: Bool

  package init(axes: [Int]?, keepsDimensions: Bool) {
    self.axes = axes
    self.keepsDimensions = keepsDimensions
  }

  private func reduced(_ shape: Shape) throws -> Set<Int> {
    Set(try axes?.map(shape.axis) ?? Array(0..<shape.rank))
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    let reduced = try reduced(shape)
    let dimensions = shape.dimensions.enumerated().compactMap { axis, size in
      reduced.contains(axis) ? (keepsDimensions ? 1 : nil) : size
    }
    return [try Shape(dimensions.isEmpty ? [1] : dimensions)]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let shape = inputs[0].shape
    let reduced = (try? reduced(shape)) ?? []
    var targetStrides = [Int](repeating: 0, count: shape.rank)
    var stride = 1
    for axis in (0..<shape.rank).reversed() where !reduced.contains(axis) {
      targetStrides[axis] = stride
      stride *= shape[axis]
    }
    let loop = StridedLoop(
      counts: shape.dimensions, sourceStrides: shape.strides, targetStrides: targetStrides)
    let count = outputs[0].count
    let factor = Float(count) / Float(shape.count)
    return Kernel { blobs in
      blobs.outputs[0].update(repeating: 0, count: count)
      loop.add(blobs.inputs[0], to: blobs.outputs[0])
      for index in 0..<count { blobs.outputs[0][index] *= factor }
    }
  }
}
