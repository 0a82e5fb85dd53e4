/// A convolution over time and lag that keeps the plane's size, forward and backward, as a few wide
/// matrix products.
///
/// The taps along the lags are laid under one another, [kernel columns · channels, times · lags];
/// a tap along time is then a product on a contiguous range of that. Weights are
/// [kernel rows, outputs, kernel columns, inputs].
struct LagConvolution: Sendable {
  let inputs: Int
  let outputs: Int
  let lagCount: Int
  let kernel: (rows: Int, columns: Int)
  let dilation: (rows: Int, columns: Int)

  /// The inputs that one row of taps sums over.
  var depth: Int { kernel.columns * inputs }
  var weightCount: Int { kernel.rows * outputs * depth }
  /// The memory for the taps of a plane of so many times, forward or backward.
  func scratchCount(times: Int) -> Int {
    (max(kernel.columns * max(inputs, outputs), depth) + kernel.rows * outputs) * times * lagCount
  }

  private func timeShift(_ row: Int) -> Int { (row - kernel.rows / 2) * dilation.rows }

  /// y = conv(x), without bias; added to y where `accumulates`.
  func run(
    _ input: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>, times: Int, scratch: UnsafeMutablePointer<Float>,
    accumulates: Bool = false
  ) {
    layOut(input, into: scratch, times: times)
    let middle = kernel.rows / 2
    let order = [middle] + (0..<kernel.rows).filter { $0 != middle }
    for row in order {
      let shift = timeShift(row)
      let reached = max(0, -shift)..<max(min(times, times - shift), max(0, -shift))
      guard !reached.isEmpty else { continue }
      MatrixProduct(
        rows: outputs, columns: reached.count * lagCount, depth: depth, leftStride: depth,
        rightStride: times * lagCount, resultStride: times * lagCount,
        accumulates: accumulates || row != middle
      ).run(
        weights + row * outputs * depth, scratch + (reached.lowerBound + shift) * lagCount,
        into: output + reached.lowerBound * lagCount)
    }
  }

  /// The gradient of the weights from that of the output; overwrites what was there.
  func weightGradient(
    _ input: UnsafePointer<Float>, outputGradient: UnsafePointer<Float>,
    into gradient: UnsafeMutablePointer<Float>, times: Int, scratch: UnsafeMutablePointer<Float>
  ) {
    let plane = times * lagCount
    layOut(input, into: scratch, times: times)
    // The output's gradient once for each tap along time, moved to where the tap looked.
    let moved = scratch + depth * plane
    for row in 0..<kernel.rows {
      let shift = timeShift(row) * lagCount
      for channel in 0..<outputs {
        let target = moved + (row * outputs + channel) * plane
        let source = outputGradient + channel * plane
        let first = min(max(0, shift), plane)
        let end = max(min(plane, plane + shift), first)
        (target).update(repeating: 0, count: first)
        if end > first {
          (target + first).update(from: source + (first - shift), count: end - first)
        }
        (target + end).update(repeating: 0, count: plane - end)
      }
    }
    MatrixProduct(
      rows: kernel.rows * outputs, columns: depth, depth: plane, leftStride: plane,
      rightStride: plane, resultStride: depth, rightIsTransposed: true
    ).run(moved, scratch, into: gradient)
  }

  /// The convolution that carries a gradient from the output back to the input.
  var adjoint: LagConvolution {
    LagConvolution(
      inputs: outputs, outputs: inputs, lagCount: lagCount, kernel: kernel, dilation: dilation)
  }

  /// The weights as ``adjoint`` takes them: turned round, inputs and outputs exchanged.
  func turnWeights(
    _ weights: UnsafePointer<Float>, into turned: UnsafeMutablePointer<Float>
  ) {
    for row in 0..<kernel.rows {
      for output in 0..<outputs {
        for column in 0..<kernel.columns {
          let from = ((row * outputs + output) * kernel.columns + column) * inputs
          for input in 0..<inputs {
            let to =
              (((kernel.rows - 1 - row) * inputs + input) * kernel.columns
                + (kernel.columns - 1 - column)) * outputs + output
            turned[to] = weights[from + input]
          }
        }
      }
    }
  }

  /// The taps along the lags under one another; what lies beyond the first and last lag is 0.
  private func layOut(
    _ input: UnsafePointer<Float>, into taps: UnsafeMutablePointer<Float>, times: Int
  ) {
    let count = inputs * times * lagCount
    for column in 0..<kernel.columns {
      let shift = (column - kernel.columns / 2) * dilation.columns
      let target = taps + column * count
      guard shift != 0 else {
        target.update(from: input, count: count)
        continue
      }
      let lost = min(abs(shift), lagCount)
      let moved = max(0, count - abs(shift))
      let edge: Int
      if shift > 0 {
        target.update(from: input + shift, count: moved)
        edge = lagCount - lost
      } else {
        (target - shift).update(from: input, count: moved)
        edge = 0
      }
      for line in 0..<(inputs * times) {
        let start = target + line * lagCount + edge
        for index in 0..<lost { start[index] = 0 }
      }
    }
  }

  /// The weights as the specification of Core ML lays them out: [outputs, inputs, rows, columns].
  func coreMLWeights(_ weights: ArraySlice<Float>) -> [Float] {
    let start = weights.startIndex
    var result = [Float](repeating: 0, count: weightCount)
    for row in 0..<kernel.rows {
      for output in 0..<outputs {
        for column in 0..<kernel.columns {
          for input in 0..<inputs {
            result[((output * inputs + input) * kernel.rows + row) * kernel.columns + column] =
              weights[
                start + ((row * outputs + output) * kernel.columns + column) * inputs + input]
          }
        }
      }
    }
    return result
  }
}
