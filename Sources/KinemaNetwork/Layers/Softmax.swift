internal import Glibc

/// Turns scores into probabilities along an axis: y = eˣ / Σ eˣ.
package struct Softmax: Layer {
  package var kind: String { axis == nil ? "softmax" : "softmaxND" }

  /// The axis; `nil` for the channels: the third from the end, or the last of fewer than three.
  package let axis: Int?

  package init(axis: Int?) {
    self.axis = axis
  }

  private func axis(of shape: Shape) throws -> Int {
    try shape.axis(axis ?? (shape.rank >= 3 ? -3 : -1))
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    _ = try axis(of: inputs[0].shape)
    return [inputs[0].shape]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> any Kernel {
    let shape = outputs[0]
    guard let axis = try? axis(of: shape) else {
      preconditionFailure("a softmax was bound to a shape that it had not accepted")
    }
    return SoftmaxKernel(
      outer: shape.outerCount(before: axis), count: shape[axis],
      inner: shape.innerCount(after: axis))
  }
}

private struct SoftmaxKernel: Kernel {
  let outer: Int
  let count: Int
  let inner: Int

  func run(_ blobs: KernelBlobs) {
    for group in 0..<outer {
      for position in 0..<inner {
        let base = group * count * inner + position
        let input = blobs.inputs[0] + base
        let output = blobs.outputs[0] + base
        var greatest = -Float.infinity
        for index in 0..<count { greatest = max(greatest, input[index * inner]) }
        var sum: Float = 0
        for index in 0..<count {
          let value = expf(input[index * inner] - greatest)
          output[index * inner] = value
          sum += value
        }
        for index in 0..<count { output[index * inner] /= sum }
      }
    }
  }
}
