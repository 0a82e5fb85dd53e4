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

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    let shape = inputs[0].shape
    let reduced = (try? reduced(shape)) ?? []
    var targetStrides = [Int](repeating: 0, count: shape.rank)
    var stride = 1
    for axis in (0..<shape.rank).reversed() where !reduced.contains(axis) {
      targetStrides[axis] = stride
      stride *= shape[axis]
    }
    return ReduceMeanKernel(
      counts: shape.dimensions, sourceStrides: shape.strides, targetStrides: targetStrides,
      outputCount: outputs[0].count, factor: Float(outputs[0].count) / Float(shape.count))
  }
}

private struct ReduceMeanKernel: Kernel {
  let counts: [Int]
  let sourceStrides: [Int]
  let targetStrides: [Int]
  let outputCount: Int
  let factor: Float

  func run(_ blobs: KernelBlobs) {
    blobs.outputs[0].update(repeating: 0, count: outputCount)
    add(axis: 0, blobs.inputs[0], blobs.outputs[0])
    for index in 0..<outputCount { blobs.outputs[0][index] *= factor }
  }

  private func add(
    axis: Int, _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>
  ) {
    if axis < counts.count - 1 {
      for index in 0..<counts[axis] {
        add(
          axis: axis + 1, source + index * sourceStrides[axis],
          target + index * targetStrides[axis])
      }
    } else if targetStrides[axis] == 0 {
      var sum: Float = 0
      for index in 0..<counts[axis] { sum += source[index] }
      target[0] += sum
    } else {
      for index in 0..<counts[axis] { target[index * targetStrides[axis]] += source[index] }
    }
  }
}
