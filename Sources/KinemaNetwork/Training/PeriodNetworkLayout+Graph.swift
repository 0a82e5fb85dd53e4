/// The network as layers of the Core ML specification.
extension PeriodNetworkLayout {
  /// The names of the blobs that go in and come out.
  static let inputName = "planes"
  static let outputName = "periods"

  func graph(_ weights: [Float], times: Int) throws -> Graph {
    let channels = specification.channels
    var nodes: [Node] = []
    func add(_ name: String, _ layer: any Layer, _ inputs: String...) {
      nodes.append(Node(name: name, layer: layer, inputs: inputs, outputs: [name]))
    }
    var last = Self.inputName
    for (index, convolution) in convolutions.enumerated() {
      let reach = (
        rows: convolution.kernel.rows / 2 * convolution.dilation.rows,
        columns: convolution.kernel.columns / 2 * convolution.dilation.columns
      )
      add(
        "convolution\(index)",
        try Convolution(
          outputChannels: channels, kernelChannels: convolution.inputs,
          window: Window(
            kernel: convolution.kernel, dilation: convolution.dilation,
            edges: .explicit(
              top: reach.rows, bottom: reach.rows, left: reach.columns, right: reach.columns)),
          weights: convolution.coreMLWeights(weights[convolutionWeights[index]]),
          bias: Array(weights[convolutionBiases[index]])), last)
      add("rectified\(index)", Activation(.rectified), "convolution\(index)")
      guard index > 0 else {
        last = "rectified0"
        continue
      }
      add("sum\(index)", Addition(), last, "rectified\(index)")
      last = "sum\(index)"
    }
    let point = try Window(kernel: (1, 1), edges: .explicit(top: 0, bottom: 0, left: 0, right: 0))
    add(
      "lagScores",
      try Convolution(
        outputChannels: 1, kernelChannels: channels, window: point,
        weights: Array(weights[scoreWeights]), bias: Array(weights[scoreBias])), last)
    add("lagsAsChannels", Transpose(axes: [0, 3, 2, 1]), "lagScores")
    let line = try Window(
      kernel: (1, specification.lagCount), stride: (1, specification.lagCount),
      edges: .explicit(top: 0, bottom: 0, left: 0, right: 0))
    add("means", Pooling(operation: .average, window: line), last)
    add("maxima", Pooling(operation: .maximum, window: line), last)
    add("pooled", Concatenation(axis: -3), "means", "maxima")
    add(
      "restUnits",
      try Convolution(
        outputChannels: specification.restUnits, kernelChannels: 2 * channels, window: point,
        weights: Array(weights[hiddenWeights]), bias: Array(weights[hiddenBiases])), "pooled")
    add("restRectified", Activation(.rectified), "restUnits")
    add(
      "restScore",
      try Convolution(
        outputChannels: 1, kernelChannels: specification.restUnits, window: point,
        weights: Array(weights[restWeights]), bias: Array(weights[restBias])), "restRectified")
    add("scores", Concatenation(axis: -3), "restScore", "lagsAsChannels")
    add(Self.outputName, Softmax(axis: -3), "scores")
    return Graph(
      inputName: Self.inputName,
      inputShape: [1, specification.inputChannels, times, specification.lagCount], nodes: nodes)
  }
}
