/// Normalises each channel by stored statistics: y = γ · (x − μ) / √(σ² + ε) + β.
///
/// Channels are the third axis from the end.
package struct BatchNormalization: Layer {
  package var kind: String { "batchnorm" }

  package let gamma: [Float]
  package let beta: [Float]
  package let mean: [Float]
  package let variance: [Float]
  package let epsilon: Float

  /// Creates a normalisation; throws ``NetworkError`` where the statistics do not fit.
  package init(
    channels: Int, gamma: [Float], beta: [Float], mean: [Float], variance: [Float],
    epsilon: Float = 1e-5
  ) throws {
    guard channels > 0, [gamma, beta, mean, variance].allSatisfy({ $0.count == channels }) else {
      throw NetworkError(
        .parameters,
        "has \([gamma, beta, mean, variance].map(\.count)) parameters instead of \(channels) each")
    }
    guard epsilon.isFinite, variance.allSatisfy({ $0 + epsilon > 0 }) else {
      throw NetworkError(.parameters, "has a variance below zero")
    }
    self.gamma = gamma
    self.beta = beta
    self.mean = mean
    self.variance = variance
    self.epsilon = epsilon
  }

  package var parameterCount: Int { gamma.count * 4 }

  /// The factor per channel: γ / √(σ² + ε).
  var scale: [Float] { zip(gamma, variance).map { $0 / ($1 + epsilon).squareRoot() } }

  /// The term per channel: β − μ · scale.
  var shift: [Float] { zip(zip(beta, mean), scale).map { $0.0 - $0.1 * $1 } }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    guard shape[try shape.channelAxis()] == gamma.count else {
      throw NetworkError(.shape, "takes \(gamma.count) channels but gets a blob of \(shape)")
    }
    return [shape]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let shape = outputs[0]
    let (channels, count) = (gamma.count, shape.innerCount(after: shape.rank - 3))
    let epilogue = Epilogue(scale: scale, shift: shift)
    return Kernel { blobs in
      blobs.outputs[0].update(from: blobs.inputs[0], count: shape.count)
      for offset in stride(from: 0, to: shape.count, by: channels * count) {
        epilogue.apply(to: blobs.outputs[0] + offset, channels: channels, count: count)
      }
    }
  }
}
