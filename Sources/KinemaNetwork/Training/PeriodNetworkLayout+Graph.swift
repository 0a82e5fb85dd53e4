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
      if index == convolutions.count - 1 {
        try addOverview(of: last, weights, to: &nodes)
        last = "overview"
      }
      add(
        "convolution\(index)",
        try convolution.layer(
          weights[convolutionWeights[index]], bias: weights[convolutionBiases[index]]), last)
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

  /// Adds to a blob what there is of each lag at all times.
  private func addOverview(of blob: String, _ weights: [Float], to nodes: inout [Node]) throws {
    func add(_ name: String, _ layer: any Layer, _ inputs: String...) {
      nodes.append(Node(name: name, layer: layer, inputs: inputs, outputs: [name]))
    }
    func convolution(_ index: Int) throws -> Convolution {
      try overview[index].layer(
        weights[overviewWeights[index]], bias: weights[overviewBiases[index]])
    }
    add("overviewParts", try convolution(0), blob)
    add("overviewPartsRectified", Activation(.rectified), "overviewParts")
    add("overviewMean", ReduceMean(axes: [-2], keepsDimensions: true), "overviewPartsRectified")
    add("overviewUnits", try convolution(1), "overviewMean")
    add("overviewRectified", Activation(.rectified), "overviewUnits")
    add("overview", Addition(isBroadcastable: true), blob, "overviewRectified")
  }
}

extension LagConvolution {
  /// The layer of the Core ML specification that keeps the plane's size.
  fileprivate func layer(
    _ weights: ArraySlice<Float>, bias: ArraySlice<Float>
  ) throws -> Convolution {
    let (rows, columns) = (
      kernel.rows / 2 * dilation.rows, kernel.columns / 2 * dilation.columns
    )
    return try Convolution(
      outputChannels: outputs, kernelChannels: inputs,
      window: Window(
        kernel: kernel, dilation: dilation,
        edges: .explicit(top: rows, bottom: rows, left: columns, right: columns)),
      weights: coreMLWeights(weights), bias: Array(bias))
  }
}
