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
    let count = try checkedProduct(
      [outputChannels, kernelChannels, window.kernel.rows, window.kernel.columns], of: "weights")
    guard weights.count == count else {
      throw NetworkError(.parameters, "has \(weights.count) weights instead of \(count)")
    }
    if let bias, bias.count != outputChannels {
      throw NetworkError(.parameters, "has \(bias.count) biases instead of \(outputChannels)")
    }
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
    // The scratch memory of the general case is held to the same bound as a blob.
    _ = try Shape([shape[axis], rows, columns])
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

  func kernel(inputs: [Operand], outputs: [Shape], epilogue: Epilogue) -> any Kernel {
    var epilogue = epilogue
    if let bias { epilogue.shift = bias }
    return ConvolutionKernel(
      self, input: inputs[0].shape, output: outputs[0], epilogue: epilogue)
  }

  /// The same layer with each output multiplied and shifted: what a normalisation behind it does.
  func scaled(by scale: [Float], shift: [Float]) -> Convolution {
    var result = self
    let length = weights.count / outputChannels
    for index in weights.indices { result.weights[index] *= scale[index / length] }
    result.bias = (0..<outputChannels).map { (bias?[$0] ?? 0) * scale[$0] + shift[$0] }
    return result
  }
}
