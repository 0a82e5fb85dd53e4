/// A matrix product with the last axes of several blobs: y[…, o] = Σₖ Σᵢ w[o, k·n + i] · xₖ[…, i].
///
/// Made by the compiler from the graph convolution, which the specification can only spell as
/// concatenation, transposition, a 1×1 convolution and transposition back: nothing moves here.
struct AxisProduct: FusibleLayer {
  var kind: String { "axisProduct" }

  /// The size of each blob's last axis.
  let depths: [Int]
  let outputs: Int
  /// The factors, [outputs, Σ depths].
  let weights: [Float]

  var inputCount: ClosedRange<Int> { depths.count...(depths.count + 1) }

  var parameterCount: Int { weights.count }

  func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    return [try shape.replacing([shape.rank - 1: outputs])]
  }

  func kernel(inputs: [Operand], outputs: [Shape], epilogue: Epilogue) -> any Kernel {
    let output = outputs[0]
    let axis = output.rank - 3
    return AxisProductKernel(
      batch: output.outerCount(before: axis), channels: output[axis],
      plane: output.innerCount(after: axis), depths: depths, outputs: self.outputs,
      weights: weights, epilogue: epilogue)
  }
}

private struct AxisProductKernel: Kernel {
  let batch: Int
  let channels: Int
  let plane: Int
  let depths: [Int]
  let outputs: Int
  let weights: [Float]
  let epilogue: Epilogue

  func run(_ blobs: KernelBlobs) {
    runProducts(blobs)
    for item in 0..<batch {
      let offset = item * channels * plane
      epilogue.apply(
        to: blobs.outputs[0] + offset,
        residual: epilogue.addsResidual ? blobs.inputs[depths.count] + offset : nil,
        channels: channels, count: plane)
    }
  }

  func runProducts(_ blobs: KernelBlobs) {
    let width = weights.count / outputs
    weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      var offset = 0
      for (index, depth) in depths.enumerated() {
        MatrixProduct(
          rows: batch * channels * plane / outputs, columns: outputs, depth: depth,
          leftStride: depth, rightStride: width, resultStride: outputs, rightIsTransposed: true,
          accumulates: index > 0
        ).run(blobs.inputs[index], weights + offset, into: blobs.outputs[0])
        offset += depth
      }
    }
  }
}
