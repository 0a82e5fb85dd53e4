/// Takes the mean away and, if asked, divides by the deviation: y = (x − m) / √(v + ε).
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

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    let shape = outputs[0]
    let groups = shape.outerCount(before: acrossChannels ? shape.rank - 3 : shape.rank - 2)
    return MeanVarianceKernel(
      groups: groups, count: shape.count / groups,
      epsilon: normalizesVariance ? epsilon : nil)
  }
}

private struct MeanVarianceKernel: Kernel {
  let groups: Int
  let count: Int
  /// `nil` where only the mean is taken away.
  let epsilon: Float?

  func run(_ blobs: KernelBlobs) {
    for group in 0..<groups {
      let input = blobs.inputs[0] + group * count
      let output = blobs.outputs[0] + group * count
      var sum = 0.0
      for index in 0..<count { sum += Double(input[index]) }
      let mean = Float(sum / Double(count))
      var squares = 0.0
      for index in 0..<count {
        output[index] = input[index] - mean
        squares += Double(output[index]) * Double(output[index])
      }
      guard let epsilon else { continue }
      let deviation = (squares / Double(count) + Double(epsilon)).squareRoot()
      let factor = Float(deviation > 0 ? 1 / deviation : 0)
      for index in 0..<count { output[index] *= factor }
    }
  }
}
