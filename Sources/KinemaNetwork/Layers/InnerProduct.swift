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
    let count = try checkedProduct([inputChannels, outputChannels], of: "weights")
    guard weights.count == count else {
      throw NetworkError(.parameters, "has \(weights.count) weights instead of \(count)")
    }
    if let bias, bias.count != outputChannels {
      throw NetworkError(.parameters, "has \(bias.count) biases instead of \(outputChannels)")
    }
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

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    InnerProductKernel(
      product: MatrixProduct(
        rows: outputs[0].count / outputChannels, columns: outputChannels, depth: inputChannels,
        leftStride: inputChannels, rightStride: inputChannels, resultStride: outputChannels,
        rightIsTransposed: true),
      weights: weights, bias: bias)
  }
}

private struct InnerProductKernel: Kernel {
  let product: MatrixProduct
  let weights: [Float]
  let bias: [Float]?

  func run(_ blobs: KernelBlobs) {
    runProducts(blobs)
    guard let bias else { return }
    for row in 0..<product.rows {
      let output = blobs.outputs[0] + row * product.columns
      for column in 0..<product.columns { output[column] += bias[column] }
    }
  }

  func runProducts(_ blobs: KernelBlobs) {
    weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      product.run(blobs.inputs[0], weights, into: blobs.outputs[0])
    }
  }
}
