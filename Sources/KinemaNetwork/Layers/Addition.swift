/// Adds blobs element by element: y = Σ xₖ + α, broadcasting dimensions of 1 from the last axis on.
package struct Addition: Layer {
  package var kind: String { isBroadcastable ? "addBroadcastable" : "add" }

  /// What is added to a single input.
  package let constant: Float
  /// Whether the specification calls it `addBroadcastable`.
  package let isBroadcastable: Bool

  package init(constant: Float = 0, isBroadcastable: Bool = false) {
    self.constant = constant
    self.isBroadcastable = isBroadcastable
  }

  package var inputCount: ClosedRange<Int> {
    (isBroadcastable ? 2 : 1)...NetworkLimits.blobsPerNode
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    var result = inputs[0].shape.dimensions
    for operand in inputs.dropFirst() {
      let other = operand.shape.dimensions
      let rank = max(result.count, other.count)
      let left = [Int](repeating: 1, count: rank - result.count) + result
      let right = [Int](repeating: 1, count: rank - other.count) + other
      guard zip(left, right).allSatisfy({ $0 == $1 || $0 == 1 || $1 == 1 }) else {
        throw NetworkError(.shape, "cannot add blobs of \(result) and \(other)")
      }
      result = zip(left, right).map(max)
    }
    return [try Shape(result)]
  }

  package func work(inputs: [Shape], outputs: [Shape]) -> Double {
    Double(outputs[0].count) * Double(inputs.count + 1) * WorkWeight.element
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let output = outputs[0]
    let terms = inputs.map { operand in
      let shape = operand.shape
      let missing = [Int](repeating: 0, count: output.rank - shape.rank)
      return StridedLoop(
        counts: output.dimensions,
        sourceStrides: missing + zip(shape.dimensions, shape.strides).map { $0 == 1 ? 0 : $1 },
        targetStrides: output.strides)
    }
    let (constant, count) = (inputs.count == 1 ? constant : 0, output.count)
    return Kernel { blobs in
      blobs.outputs[0].update(repeating: constant, count: count)
      for (input, term) in zip(blobs.inputs, terms) { term.add(input, to: blobs.outputs[0]) }
    }
  }
}
