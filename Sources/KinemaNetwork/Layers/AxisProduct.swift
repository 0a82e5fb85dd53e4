/// A matrix product with the last axes of several blobs: y[…, o] = Σₖ Σᵢ w[o, k·n + i] · xₖ[…, i].
///
/// The compiler makes it of a graph convolution, which the specification expresses as
/// concatenation, transposition, 1×1 convolution and transposition back; here nothing is moved.
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

  func kernel(inputs: [Operand], outputs: [Shape], epilogue: Epilogue) -> Kernel {
    let output = outputs[0]
    let axis = output.rank - 3
    let batch = output.outerCount(before: axis)
    let (channels, plane) = (output[axis], output.innerCount(after: axis))
    let (depths, columns, weights) = (depths, self.outputs, weights)
    let weightStride = weights.count / columns
    let products = { @Sendable (blobs: KernelBlobs) in
      var offset = 0
      for (index, depth) in depths.enumerated() {
        weights.withUnsafeBufferPointer { weights in
          guard let weights = weights.baseAddress else { return }
          MatrixProduct.multiply(
            rows: output.count / columns, columns: columns, depth: depth,
            Factor(blobs.inputs[index], stride: depth),
            Factor(weights + offset, stride: weightStride, isTransposed: true),
            into: blobs.outputs[0], stride: columns, accumulates: index > 0)
        }
        offset += depth
      }
    }
    return Kernel(products: products) { blobs in
      products(blobs)
      for item in 0..<batch {
        let offset = item * channels * plane
        epilogue.apply(
          to: blobs.outputs[0] + offset,
          residual: epilogue.addsResidual ? blobs.inputs[depths.count] + offset : nil,
          channels: channels, count: plane)
      }
    }
  }
}
