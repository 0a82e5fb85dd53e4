internal import Glibc

/// Turns scores into probabilities along an axis: y = eˣ / Σ eˣ.
package struct Softmax: Layer {
  package var kind: String { axis == nil ? "softmax" : "softmaxND" }

  /// The axis; `nil` for the channels: the third from the end, or the last of fewer than three.
  package let axis: Int?

  package init(axis: Int?) { self.axis = axis }

  private func axis(of shape: Shape) throws -> Int {
    try shape.axis(axis ?? (shape.rank >= 3 ? -3 : -1))
  }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    _ = try axis(of: inputs[0].shape)
    return [inputs[0].shape]
  }

  package func kernel(inputs: [Operand], outputs: [Shape]) -> Kernel {
    let shape = outputs[0]
    guard let axis = try? axis(of: shape) else {
      preconditionFailure("a softmax was bound to a shape that it had not accepted")
    }
    let (count, inner) = (shape[axis], shape.innerCount(after: axis))
    return Kernel { blobs in
      for start in stride(from: 0, to: shape.count, by: count * inner) {
        for base in start..<(start + inner) {
          softmax(
            blobs.inputs[0] + base, into: blobs.outputs[0] + base, count: count, stride: inner)
        }
      }
    }
  }
}

/// The softmax of scores that are `stride` elements apart.
func softmax(
  _ scores: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, count: Int,
  stride: Int = 1
) {
  var greatest = -Float.infinity
  for index in 0..<count { greatest = max(greatest, scores[index * stride]) }
  var sum: Float = 0
  for index in 0..<count {
    let value = expf(scores[index * stride] - greatest)
    result[index * stride] = value
    sum += value
  }
  for index in 0..<count { result[index * stride] /= sum }
}
