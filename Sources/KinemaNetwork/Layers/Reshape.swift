/// Gives a blob other dimensions; 0 keeps the one at that place, one −1 takes what is left.
package struct Reshape: Layer {
  package var kind: String { "reshapeStatic" }

  package let target: [Int]

  package init(target: [Int]) {
    self.target = target
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    [try reshaped(inputs[0].shape, to: target)]
  }

  package func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]? { [0] }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    FlatCopyKernel(count: outputs[0].count)
  }
}

/// Gives a blob the dimensions that its second input holds, by the rules of ``Reshape``.
package struct DynamicReshape: Layer {
  package var kind: String { "reshapeDynamic" }

  package init() {}

  package var inputCount: ClosedRange<Int> { 2...2 }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    guard let target = inputs[1].integers else {
      throw NetworkError(.unsupported, "takes its shape from a blob that depends on the input")
    }
    return [try reshaped(inputs[0].shape, to: target)]
  }

  package func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]? { [0] }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    FlatCopyKernel(count: outputs[0].count)
  }
}

/// Takes dimensions of 1 away: those named, or all.
package struct Squeeze: Layer {
  package var kind: String { "squeeze" }

  /// The axes; `nil` for all of size 1.
  package let axes: [Int]?

  package init(axes: [Int]?) {
    self.axes = axes
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    let removed = try axes.map { Set(try $0.map(shape.axis)) }
    var kept: [Int] = []
    for (axis, size) in shape.dimensions.enumerated() {
      if let removed, removed.contains(axis) {
        guard size == 1 else {
          throw NetworkError(.shape, "drops axis \(axis) of \(shape), which is not 1")
        }
      } else if removed != nil || size != 1 {
        kept.append(size)
      }
    }
    return [try Shape(kept.isEmpty ? [1] : kept)]
  }

  package func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]? { [0] }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    FlatCopyKernel(count: outputs[0].count)
  }
}

/// Inserts dimensions of 1 at these places of the output.
package struct ExpandDimensions: Layer {
  package var kind: String { "expandDims" }

  package let axes: [Int]

  package init(axes: [Int]) {
    self.axes = axes
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    let rank = shape.rank + axes.count
    let places = Set(axes.map { $0 < 0 ? $0 + rank : $0 })
    guard rank <= Shape.maximumRank, places.count == axes.count,
      places.allSatisfy((0..<rank).contains)
    else {
      throw NetworkError(.shape, "inserts axes \(axes.prefix(16)) into a blob of \(shape)")
    }
    var rest = shape.dimensions[...]
    let dimensions = (0..<rank).map { places.contains($0) ? 1 : rest.popFirst() ?? 1 }
    return [try Shape(dimensions)]
  }

  package func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]? { [0] }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    FlatCopyKernel(count: outputs[0].count)
  }
}

private func reshaped(_ shape: Shape, to target: [Int]) throws -> Shape {
  let failure = NetworkError(
    .shape, "gives a blob of \(shape) the shape \(Array(target.prefix(16)))")
  guard (1...Shape.maximumRank).contains(target.count) else { throw failure }
  var dimensions = target
  for (axis, size) in target.enumerated() where size == 0 {
    guard axis < shape.rank else { throw failure }
    dimensions[axis] = shape[axis]
  }
  let inferred = dimensions.indices.filter { dimensions[$0] == -1 }
  guard inferred.count <= 1 else { throw failure }
  if let axis = inferred.first {
    dimensions[axis] = 1
    let known = try Shape(dimensions).count
    guard shape.count % known == 0 else { throw failure }
    dimensions[axis] = shape.count / known
  }
  let result = try Shape(dimensions)
  guard result.count == shape.count else { throw failure }
  return result
}

private struct FlatCopyKernel: Kernel {
  let count: Int

  func run(_ blobs: KernelBlobs) {
    blobs.outputs[0].update(from: blobs.inputs[0], count: count)
  }
}
