/// Subtracts the mean and, optionally, divides by the standard deviation: y = (x − m) / √(v + ε).
///
/// m and v are those of each channel's plane (the last two axes), or of all channels together
/// (the last three).
package struct MeanVarianceNormalization: Layer {
  package var kind: String { "mvn" }

  package let acrossChannels: Bool
  package let normalizesVariance: Bool
  package let epsilon: Float

  package init(acrossChannels: Bool, normalizesVariance: Bool, epsilon: Float = 1e-5) throws {
    guard epsilon.isFinite, epsilon >= 0 else {
      throw NetworkError(.parameters, "has an epsilon of \(epsilon)")
    }
    self.acrossChannels = acrossChannels
    self.normalizesVariance = normalizesVariance
    self.epsilon = epsilon
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    _ = try inputs[0].shape.channelAxis()
    return [inputs[0].shape]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let shape = outputs[0]
    let count = shape.innerCount(after: shape.rank - (acrossChannels ? 4 : 3))
    let epsilon = normalizesVariance ? Double(epsilon) : nil
    return Kernel { blobs in
      for start in stride(from: 0, to: shape.count, by: count) {
        let (x, y) = (blobs.inputs[0] + start, blobs.outputs[0] + start)
        var sum = 0.0
        for index in 0..<count { sum += Double(x[index]) }
        let mean = Float(sum / Double(count))
        var squares = 0.0
        for index in 0..<count {
          y[index] = x[index] - mean
          squares += Double(y[index]) * Double(y[index])
        }
        guard let epsilon else { continue }
        let deviation = (squares / Double(count) + epsilon).squareRoot()
        let factor = Float(deviation > 0 ? 1 / deviation : 0)
        for index in 0..<count { y[index] *= factor }
      }
    }
  }
}
