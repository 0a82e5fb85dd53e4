/// Joins blobs along an axis.
package struct Concatenation: Layer {
  package var kind: String { isNamed ? "concat" : "concatND" }

  /// The axis, from the end where negative.
  package let axis: Int

  /// Whether it is the specification's older layer, which names two axes: channels
  /// (−3) and sequence (−5).
  package let isNamed: Bool

  package init(axis: Int, isNamed: Bool = false) {
    self.axis = axis
    self.isNamed = isNamed
  }

  package var inputCount: ClosedRange<Int> { 1...NetworkLimits.blobsPerNode }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let first = inputs[0].shape
    if mixesRanks(inputs.map(\.shape)) {
      return [try Shape([inputs.reduce(0) { $0 + $1.shape.count }])]
    }
    let axis = try first.axis(self.axis)
    var size = 0
    for operand in inputs {
      let other = operand.shape
      guard (0..<first.rank).allSatisfy({ $0 == axis || other[$0] == first[$0] }) else {
        throw NetworkError(.shape, "cannot join blobs of \(first) and \(other) along axis \(axis)")
      }
      size += other[axis]
    }
    return [try first.replacing([axis: size])]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let output = outputs[0]
    let axis = mixesRanks(inputs.map(\.shape)) ? 0 : (try? output.axis(self.axis)) ?? 0
    let rows = output.outerCount(before: axis)
    var offset = 0
    return .moving(
      inputs.enumerated().map { index, operand in
        let width = operand.shape.count / rows
        defer { offset += width }
        return .init(
          input: index, outputOffset: offset,
          loop: StridedLoop(
            rows: rows, width: width, sourceStride: width, targetStride: output.count / rows))
      })
  }

  /// Whether the blobs have different ranks; they are then flattened.
  ///
  /// Apple's shape arithmetic joins the [1, 1] that it made from a scalar with a [1].
  private func mixesRanks(_ shapes: [Shape]) -> Bool {
    shapes.contains { $0.rank != shapes[0].rank }
  }
}
