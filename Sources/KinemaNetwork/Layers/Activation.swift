internal import Glibc

/// Applies a function to each element.
package struct Activation: Layer {
  package var kind: String { "activation" }

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

  package init(_ function: Function) { self.function = function }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let (function, count) = (function, outputs[0].count)
    return Kernel { blobs in
      let (x, y) = (blobs.inputs[0], blobs.outputs[0])
      switch function {
      case .rectified: for index in 0..<count { y[index] = x[index] < 0 ? 0 : x[index] }
      case .leakyRectified(let slope):
        for index in 0..<count { y[index] = x[index] > 0 ? x[index] : slope * x[index] }
      case .linear(let factor, let term):
        for index in 0..<count { y[index] = factor * x[index] + term }
      case .hyperbolicTangent: for index in 0..<count { y[index] = tanhf(x[index]) }
      case .sigmoid: for index in 0..<count { y[index] = 1 / (1 + expf(-x[index])) }
      }
    }
  }
}
