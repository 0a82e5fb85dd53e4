import KinemaNetwork

/// The gradients of convolutions that keep the plane's size, with one group.
extension ConvolutionPlan {
  /// The elements of scratch memory that ``weightGradient(_:outputGradient:into:scratch:)`` needs.
  var gradientScratchCount: Int {
    (depth + window.kernel.rows * outputs) * input.rows * input.columns
  }

  /// The gradient of the weights from that of the output; overwrites what was there.
  func weightGradient(
    _ x: UnsafePointer<Float>, outputGradient: UnsafePointer<Float>,
    into gradient: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
  ) {
    let plane = input.rows * input.columns
    let rows = window.kernel.rows
    // The output's gradient once for each row of taps, moved to the input that the tap reads.
    let moved = scratch + depth * plane
    for row in 0..<rows {
      let shift = (row - rows / 2) * window.dilation.rows * input.columns
      for channel in 0..<outputs {
        let target = moved + (row * outputs + channel) * plane
        let source = outputGradient + channel * plane
        let first = min(max(0, shift), plane)
        let end = max(min(plane, plane + shift), first)
        target.update(repeating: 0, count: first)
        if end > first {
          (target + first).update(from: source + (first - shift), count: end - first)
        }
        (target + end).update(repeating: 0, count: plane - end)
      }
    }
    eachColumns { columns in
      layOut(x, columns, into: scratch)
      MatrixProduct.multiply(
        rows: rows * outputs, columns: columns.count * channels, depth: plane,
        Factor(moved, stride: plane), Factor(scratch, stride: plane, isTransposed: true),
        into: gradient + columns.lowerBound * channels, stride: depth)
    }
  }

  /// The weights of the convolution that carries a gradient from the output back to the input:
  /// reversed, inputs and outputs exchanged.
  func adjointWeights(_ weights: UnsafePointer<Float>) -> [Float] {
    let (rows, columns) = window.kernel
    return [Float](unsafeUninitializedCapacity: weightCount) { buffer, count in
      for row in (0..<rows).reversed() {
        for channel in 0..<channels {
          for column in (0..<columns).reversed() {
            for output in 0..<outputs {
              buffer[count] =
                weights[((row * outputs + output) * columns + column) * channels + channel]
              count += 1
            }
          }
        }
      }
    }
  }
}
