/// Slides a kernel over the last two axes:
/// y[o, t, u] = b[o] + Σ w[o, c, i, j] · x[c, t·s + i·d − p, u·s′ + j·d′ − p′].
///
/// Input [..., channels, rows, columns]; everything in front is a batch. Weights
/// [outputs, channels / groups, kernel rows, kernel columns].
package struct Convolution: FusibleLayer {
  package var kind: String { "convolution" }

  package let outputChannels: Int
  /// Input channels of one group.
  package let kernelChannels: Int
  package let groups: Int
  package var window: Window
  package var weights: [Float]
  package var bias: [Float]?

  /// Creates a convolution; throws ``NetworkError`` where the weights do not fit.
  package init(
    outputChannels: Int, kernelChannels: Int, groups: Int = 1, window: Window, weights: [Float],
    bias: [Float]? = nil
  ) throws {
    guard outputChannels > 0, kernelChannels > 0, groups > 0, outputChannels % groups == 0 else {
      throw NetworkError(
        .parameters,
        "has \(outputChannels) outputs and \(kernelChannels) channels in \(groups) groups")
    }
    try checkWeights(
      weights, bias, [outputChannels, kernelChannels, window.kernel.rows, window.kernel.columns])
    self.outputChannels = outputChannels
    self.kernelChannels = kernelChannels
    self.groups = groups
    self.window = window
    self.weights = weights
    self.bias = bias
  }

  package var parameterCount: Int { weights.count + (bias?.count ?? 0) }

  package func outputShapes(for inputs: [Operand]) throws -> [Shape] {
    let shape = inputs[0].shape
    let axis = try shape.channelAxis()
    let (channels, overflow) = kernelChannels.multipliedReportingOverflow(by: groups)
    guard !overflow, shape[axis] == channels else {
      throw NetworkError(
        .shape, "takes \(kernelChannels)×\(groups) channels but gets a blob of \(shape)")
    }
    let rows = try window.rows(on: shape[axis + 1]).count
    let columns = try window.columns(on: shape[axis + 2]).count
    // The scratch memory is held to the same bound as a blob.
    _ = try Shape([shape[axis], shape[axis + 1], columns])
    return [
      try shape.replacing([axis: outputChannels, axis + 1: rows, axis + 2: columns])
    ]
  }

  package func work(inputs: [Shape], outputs: [Shape]) -> Double {
    let taps = Double(window.kernel.rows * window.kernel.columns)
    let products = Double(outputs[0].count) * Double(kernelChannels) * taps
    let moved = window.kernel.columns == 1 ? 1 : taps
    return products * (kernelChannels == 1 ? WorkWeight.multiplyAdd : 1)
      + (Double(inputs[0].count) * moved + Double(outputs[0].count)) * WorkWeight.element
      + Double(groups) * taps * 1000
  }

  func kernel(inputs: [Operand], outputs: [Shape], epilogue: Epilogue) -> Kernel {
    let shape = inputs[0].shape
    let axis = shape.rank - 3
    guard
      let plan = try? ConvolutionPlan(
        window: window, groups: groups, channels: kernelChannels,
        outputs: outputChannels / groups, input: (shape[axis + 1], shape[axis + 2]))
    else { preconditionFailure("a convolution was bound to a shape that it had not accepted") }
    var epilogue = epilogue
    if let bias { epilogue.shift = bias }
    let (weights, end) = (planned(weights), epilogue)
    let (channels, count) = (outputChannels, plan.output.rows * plan.output.columns)
    let (inputCount, outputCount) = (shape.innerCount(after: axis - 1), channels * count)
    let batch = shape.outerCount(before: axis)
    func each(laysOut: Bool) -> @Sendable (KernelBlobs) -> Void {
      { blobs in
        for item in 0..<batch {
          let output = blobs.outputs[0] + item * outputCount
          plan.run(
            blobs.inputs[0] + item * inputCount, weights: weights, into: output,
            scratch: blobs.scratch, laysOut: laysOut)
          guard laysOut else { continue }
          end.apply(
            to: output, residual: end.addsResidual ? blobs.inputs[1] + item * outputCount : nil,
            channels: channels, count: count)
        }
      }
    }
    var kernel = Kernel(scratchCount: plan.scratchCount, run: each(laysOut: true))
    if plan.depth > 1 { kernel.products = each(laysOut: false) }
    return kernel
  }

  /// The weights as a ``ConvolutionPlan`` takes them.
  private func planned(_ weights: [Float]) -> [Float] {
    let (rows, columns) = window.kernel
    guard rows * columns > 1 else { return weights }
    var result: [Float] = []
    result.reserveCapacity(weights.count)
    for row in 0..<rows {
      for output in 0..<outputChannels {
        for column in 0..<columns {
          for channel in 0..<kernelChannels {
            let place = (output * kernelChannels + channel) * rows + row
            result.append(weights[place * columns + column])
          }
        }
      }
    }
    return result
  }

  /// The same layer with each output multiplied and shifted: what a normalisation after it does.
  func scaled(by scale: [Float], shift: [Float]) -> Convolution {
    var result = self
    let length = weights.count / outputChannels
    for index in weights.indices { result.weights[index] *= scale[index / length] }
    result.bias = (0..<outputChannels).map { (bias?[$0] ?? 0) * scale[$0] + shift[$0] }
    return result
  }
}
