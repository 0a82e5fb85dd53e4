/// Divides by the length of the last three axes taken as one vector: y = x / √(Σ x² + ε).
package struct L2Normalization: Layer {
  package var kind: String { "l2normalize" }

  package let epsilon: Float

  package init(epsilon: Float = 1e-6) throws {
    guard epsilon.isFinite, epsilon >= 0 else {
      throw NetworkError(.parameters, "has an epsilon of \(epsilon)")
    }
    self.epsilon = epsilon
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    _ = try inputs[0].shape.channelAxis()
    return [inputs[0].shape]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    let batch = outputs[0].outerCount(before: outputs[0].rank - 3)
    return L2NormalizationKernel(
      batch: batch, count: outputs[0].count / batch, epsilon: Double(epsilon))
  }
}

private struct L2NormalizationKernel: Kernel {
  let batch: Int
  let count: Int
  let epsilon: Double

  func run(_ blobs: KernelBlobs) {
    for item in 0..<batch {
      let input = blobs.inputs[0] + item * count
      let output = blobs.outputs[0] + item * count
      var squares = 0.0
      for index in 0..<count { squares += Double(input[index]) * Double(input[index]) }
      let length = (squares + epsilon).squareRoot()
      let factor = Float(length > 0 ? 1 / length : 0)
      for index in 0..<count { output[index] = input[index] * factor }
    }
  }
}
