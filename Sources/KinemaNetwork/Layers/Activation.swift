internal import Glibc

/// Applies a function to each element.
package struct Activation: Layer {
  package var kind: String { "activation" }

  /// The functions.
  package enum Function: Sendable, Equatable {
    /// y = max(x, 0).
    case rectified
    /// y = x for x > 0, else α·x.
    case leakyRectified(slope: Float)
    /// y = α·x + β.
    case linear(factor: Float, term: Float)
    /// y = tanh x.
    case hyperbolicTangent
    /// y = 1 / (1 + e⁻ˣ).
    case sigmoid
  }

  package let function: Function

  package init(_ function: Function) {
    self.function = function
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] { [inputs[0].shape] }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    ActivationKernel(function: function, count: outputs[0].count)
  }
}

private struct ActivationKernel: Kernel {
  let function: Activation.Function
  let count: Int

  func run(_ blobs: KernelBlobs) {
    let input = blobs.inputs[0]
    let output = blobs.outputs[0]
    switch function {
    case .rectified:
      for index in 0..<count { output[index] = input[index] < 0 ? 0 : input[index] }
    case .leakyRectified(let slope):
      for index in 0..<count {
        output[index] = input[index] > 0 ? input[index] : slope * input[index]
      }
    case .linear(let factor, let term):
      for index in 0..<count { output[index] = factor * input[index] + term }
    case .hyperbolicTangent:
      for index in 0..<count { output[index] = tanhf(input[index]) }
    case .sigmoid:
      for index in 0..<count { output[index] = 1 / (1 + expf(-input[index])) }
    }
  }
}
