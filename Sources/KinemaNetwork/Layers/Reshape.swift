/// Gives a blob other dimensions; its elements stay where they are.
package struct Reshape: Layer {
  /// Where the dimensions come from.
  package enum Target: Sendable {
    /// These; 0 keeps the dimension at that place, one −1 is inferred.
    case dimensions([Int])
    /// The elements of the second input, by the same rules.
    case input
    /// The input's without these dimensions of 1; `nil` for all of them.
    case squeezed(axes: [Int]?)
    /// The input's with dimensions of 1 at these places of the output.
    case expanded(axes: [Int])
  }

  package let target: Target

  package init(_ target: Target) { self.target = target }

  package init(target: [Int]) { self.init(.dimensions(target)) }

  package var kind: String {
    switch target {
    case .dimensions: "reshapeStatic"
    case .input: "reshapeDynamic"
    case .squeezed: "squeeze"
    case .expanded: "expandDims"
    }
  }

  package var inputCount: ClosedRange<Int> { if case .input = target { 2...2 } else { 1...1 } }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    switch target {
    case .dimensions(let dimensions): return [try shape.reshaped(to: dimensions)]
    case .input:
      guard let dimensions = inputs[1].integers else {
        throw NetworkError(.unsupported, "takes its shape from a blob that depends on the input")
      }
      return [try shape.reshaped(to: dimensions)]
    case .squeezed(let axes): return [try shape.squeezed(axes)]
    case .expanded(let axes): return [try shape.expanded(axes)]
    }
  }

  package func viewOffsets(inputs: [Shape], outputs: [Shape]) -> [Int]? { [0] }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let count = outputs[0].count
    return Kernel { $0.outputs[0].update(from: $0.inputs[0], count: count) }
  }
}

extension Shape {
  fileprivate func squeezed(_ axes: [Int]?) throws -> Shape {
    let removed = try axes.map { Set(try $0.map(axis)) }
    var extents: [Int] = []
    for (axis, size) in dimensions.enumerated() {
      if let removed, removed.contains(axis) {
        guard size == 1 else {
          throw NetworkError(.shape, "drops axis \(axis) of \(self), which is not 1")
        }
      } else if removed != nil || size != 1 {
        extents.append(size)
      }
    }
    return try Shape(extents.isEmpty ? [1] : extents)
  }

  fileprivate func expanded(_ axes: [Int]) throws -> Shape {
    let newRank = rank + axes.count
    let places = Set(axes.map { $0 < 0 ? $0 + newRank : $0 })
    guard newRank <= Shape.maximumRank, places.count == axes.count,
      places.allSatisfy((0..<newRank).contains)
    else {
      throw NetworkError(.shape, "inserts axes \(axes.prefix(16)) into a blob of \(self)")
    }
    var rest = dimensions[...]
    return try Shape((0..<newRank).map { places.contains($0) ? 1 : rest.popFirst() ?? 1 })
  }

  fileprivate func reshaped(to target: [Int]) throws -> Shape {
    let failure = NetworkError(
      .shape, "gives a blob of \(self) the shape \(Array(target.prefix(16)))")
    guard (1...Shape.maximumRank).contains(target.count) else { throw failure }
    var dimensions = target
    for (axis, size) in target.enumerated() where size == 0 {
      guard axis < rank else { throw failure }
      dimensions[axis] = self[axis]
    }
    let inferred = dimensions.indices.filter { dimensions[$0] == -1 }
    guard inferred.count <= 1 else { throw failure }
    if let axis = inferred.first {
      dimensions[axis] = 1
      let known = try Shape(dimensions).count
      guard count % known == 0 else { throw failure }
      dimensions[axis] = count / known
    }
    let result = try Shape(dimensions)
    guard result.count == count else { throw failure }
    return result
  }
}
