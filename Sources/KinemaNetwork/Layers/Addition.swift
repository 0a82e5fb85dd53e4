/// Adds blobs element by element: y = Σ xₖ + α, spreading dimensions of 1 (from the last axis on).
package struct Addition: Layer {
  package var kind: String { isBroadcastable ? "addBroadcastable" : "add" }

  /// What is added to a single input.
  package let constant: Float
  /// Whether it is spelt `addBroadcastable` in the specification.
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

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    AdditionKernel(
      terms: inputs.map { Broadcast(of: $0.shape, to: outputs[0]) }, count: outputs[0].count,
      constant: inputs.count == 1 ? constant : 0)
  }
}

private struct AdditionKernel: Kernel {
  let terms: [Broadcast]
  let count: Int
  let constant: Float

  func run(_ blobs: KernelBlobs) {
    blobs.outputs[0].update(repeating: constant, count: count)
    for (index, term) in terms.enumerated() {
      term.add(blobs.inputs[index], to: blobs.outputs[0])
    }
  }
}

/// The elements of a blob spread over a larger one.
private struct Broadcast: Sendable {
  private let counts: [Int]
  private let sourceStrides: [Int]
  private let targetStrides: [Int]

  init(of source: Shape, to target: Shape) {
    guard source.count != target.count else {
      (counts, sourceStrides, targetStrides) = ([target.count], [1], [1])
      return
    }
    counts = target.dimensions
    targetStrides = target.strides
    let missing = target.rank - source.rank
    sourceStrides =
      [Int](repeating: 0, count: missing)
      + zip(source.dimensions, source.strides).map { $0 == 1 ? 0 : $1 }
  }

  func add(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    add(axis: 0, source, target)
  }

  private func add(
    axis: Int, _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>
  ) {
    let step = sourceStrides[axis]
    if axis < counts.count - 1 {
      for index in 0..<counts[axis] {
        add(axis: axis + 1, source + index * step, target + index * targetStrides[axis])
      }
    } else if step == 0 {
      let value = source[0]
      for index in 0..<counts[axis] { target[index] += value }
    } else {
      for index in 0..<counts[axis] { target[index] += source[index] }
    }
  }
}
