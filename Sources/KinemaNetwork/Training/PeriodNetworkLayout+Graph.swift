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
      add("convolution\(index)", try convolution.layer(weights), last)
      add("rectified\(index)", Activation(.rectified), "convolution\(index)")
      guard index > 0 else {
        last = "rectified0"
        continue
      }
      add("sum\(index)", Addition(), last, "rectified\(index)")
      last = "sum\(index)"
    }
    func product(_ inputs: Int, _ outputs: Int, _ place: Int, _ bias: Int) throws -> Convolution {
      try Convolution(
        outputChannels: outputs, kernelChannels: inputs, window: Window(kernel: (1, 1)),
        weights: Array(weights[place..<(place + inputs * outputs)]),
        bias: Array(weights[bias..<(bias + outputs)]))
    }
    add("lagScores", try product(channels, 1, scoreWeights, scoreBias), last)
    add("lagsAsChannels", Transpose(axes: [0, 3, 2, 1]), "lagScores")
    let line = try Window(
      kernel: (1, specification.lagCount), stride: (1, specification.lagCount))
    add("means", Pooling(operation: .average, window: line), last)
    add("maxima", Pooling(operation: .maximum, window: line), last)
    add("pooled", Concatenation(axis: -3), "means", "maxima")
    let units = specification.restUnits
    add("restUnits", try product(2 * channels, units, hiddenWeights, hiddenBiases), "pooled")
    add("restRectified", Activation(.rectified), "restUnits")
    add("restScore", try product(units, 1, restWeights, restBias), "restRectified")
    add("scores", Concatenation(axis: -3), "restScore", "lagsAsChannels")
    add(Self.outputName, Softmax(axis: -3), "scores")
    return Graph(
      inputName: Self.inputName,
      inputShape: [1, specification.inputChannels, times, specification.lagCount], nodes: nodes)
  }

  /// Adds to a blob the overview of each lag at all times.
  private func addOverview(of blob: String, _ weights: [Float], to nodes: inout [Node]) throws {
    func add(_ name: String, _ layer: any Layer, _ inputs: String...) {
      nodes.append(Node(name: name, layer: layer, inputs: inputs, outputs: [name]))
    }
    add("overviewParts", try overview[0].layer(weights), blob)
    add("overviewPartsRectified", Activation(.rectified), "overviewParts")
    add("overviewMean", ReduceMean(axes: [-2], keepsDimensions: true), "overviewPartsRectified")
    add("overviewUnits", try overview[1].layer(weights), "overviewMean")
    add("overviewRectified", Activation(.rectified), "overviewUnits")
    add("overview", Addition(isBroadcastable: true), blob, "overviewRectified")
  }
}
