import KinemaNetwork

/// The network as layers of the Core ML specification.
extension PeriodNetworkLayout {
  static let inputName = "planes"
  static let outputName = "periods"

  func graph(_ weights: [Float], times: Int) throws -> Graph {
    let channels = specification.channels
    let units = specification.restUnits
    func product(_ inputs: Int, _ outputs: Int, _ place: Int, _ bias: Int) throws -> Convolution {
      try Convolution(
        outputChannels: outputs, kernelChannels: inputs, window: Window(kernel: (1, 1)),
        weights: Array(weights[place..<(place + inputs * outputs)]),
        bias: Array(weights[bias..<(bias + outputs)]))
    }
    var writer = GraphWriter(input: Self.inputName)
    for (index, convolution) in convolutions.enumerated() {
      if index == convolutions.count - 1 { try addOverview(weights, to: &writer) }
      let source = writer.current
      writer.add("convolution\(index)", try convolution.layer(weights))
      writer.add("rectified\(index)", Activation(.rectified))
      if index > 0 {
        writer.add("sum\(index)", Addition(), from: [source, "rectified\(index)"])
      }
    }
    let last = writer.current
    writer.add("lagScores", try product(channels, 1, scoreWeights, scoreBias))
    writer.add("lagsAsChannels", Transpose(axes: [0, 3, 2, 1]))
    let line = try Window(kernel: (1, specification.lagCount), stride: (1, specification.lagCount))
    writer.add("means", Pooling(operation: .average, window: line), from: [last])
    writer.add("maxima", Pooling(operation: .maximum, window: line), from: [last])
    writer.add("pooled", Concatenation(axis: -3), from: ["means", "maxima"])
    writer.add("restUnits", try product(2 * channels, units, hiddenWeights, hiddenBiases))
    writer.add("restRectified", Activation(.rectified))
    writer.add("restScore", try product(units, 1, restWeights, restBias))
    writer.add("scores", Concatenation(axis: -3), from: ["restScore", "lagsAsChannels"])
    writer.add(Self.outputName, Softmax(axis: -3))
    return Graph(
      inputName: Self.inputName,
      inputShape: [1, specification.inputChannels, times, specification.lagCount],
      nodes: writer.nodes)
  }

  /// Adds to the current blob the overview of each lag at all times.
  private func addOverview(_ weights: [Float], to writer: inout GraphWriter) throws {
    let blob = writer.current
    writer.add("overviewParts", try overview[0].layer(weights))
    writer.add("overviewPartsRectified", Activation(.rectified))
    writer.add("overviewMean", ReduceMean(axes: [-2], keepsDimensions: true))
    writer.add("overviewUnits", try overview[1].layer(weights))
    writer.add("overviewRectified", Activation(.rectified))
    writer.add("overview", Addition(isBroadcastable: true), from: [blob, writer.current])
  }
}
