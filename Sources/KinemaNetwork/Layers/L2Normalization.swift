/// Divides by the length of the vector of the last three axes: y = x / √(Σ x² + ε).
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

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let total = outputs[0].count
    let count = outputs[0].innerCount(after: outputs[0].rank - 4)
    let epsilon = Double(epsilon)
    return Kernel { blobs in
      for start in stride(from: 0, to: total, by: count) {
        let (x, y) = (blobs.inputs[0] + start, blobs.outputs[0] + start)
        var squares = 0.0
        for index in 0..<count { squares += Double(x[index]) * Double(x[index]) }
        let length = (squares + epsilon).squareRoot()
        let factor = Float(length > 0 ? 1 / length : 0)
        for index in 0..<count { y[index] = x[index] * factor }
      }
    }
  }
}
