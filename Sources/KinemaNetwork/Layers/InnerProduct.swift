/// A matrix product with the last axis: y[…, o] = b[o] + Σ w[o, c] · x[…, c].
///
/// Input of rank 1 to 3 [..., channels]; from rank 4 on the last three axes together are the
/// channels, and the output is [..., outputs, 1, 1]. Weights [outputs, channels].
package struct InnerProduct: Layer {
  package var kind: String { "innerProduct" }

  package let inputChannels: Int
  package let outputChannels: Int
  package let weights: [Float]
  package let bias: [Float]?

  /// Creates a product; throws ``NetworkError`` where the weights do not fit.
  package init(inputChannels: Int, outputChannels: Int, weights: [Float], bias: [Float]? = nil)
    throws
  {
    guard inputChannels > 0, outputChannels > 0 else {
      throw NetworkError(.parameters, "has \(inputChannels) inputs and \(outputChannels) outputs")
    }
    try checkWeights(weights, bias, [outputChannels, inputChannels])
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.weights = weights
    self.bias = bias
  }

  package var parameterCount: Int { weights.count + (bias?.count ?? 0) }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    let flattened = shape.rank > 3 ? 3 : 1
    let depth = shape.dimensions.suffix(flattened).reduce(1, *)
    guard depth == inputChannels else {
      throw NetworkError(.shape, "takes \(inputChannels) channels but gets a blob of \(shape)")
    }
    let ending = flattened == 3 ? [outputChannels, 1, 1] : [outputChannels]
    return [try Shape(Array(shape.dimensions.dropLast(flattened)) + ending)]
  }

  package func work(inputs: [Shape], outputs: [Shape]) -> Double {
    Double(outputs[0].count) * (Double(inputChannels) + WorkWeight.element)
      + Double(inputs[0].count) * WorkWeight.element
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let (depth, columns, weights) = (inputChannels, outputChannels, weights)
    let rows = outputs[0].count / columns
    let terms = bias
    let products = { @Sendable (blobs: KernelBlobs) in
      weights.withUnsafeBufferPointer { weights in
        guard let weights = weights.baseAddress else { return }
        MatrixProduct.multiply(
          rows: rows, columns: columns, depth: depth, Factor(blobs.inputs[0], stride: depth),
          Factor(weights, stride: depth, isTransposed: true), into: blobs.outputs[0],
          stride: columns)
      }
    }
    return Kernel(products: products) { blobs in
      products(blobs)
      guard let terms else { return }
      for row in 0..<rows {
        let output = blobs.outputs[0] + row * columns
        for column in 0..<columns { output[column] += terms[column] }
      }
    }
  }
}
