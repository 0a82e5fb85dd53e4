internal import KinemaModelFiles
internal import KinemaNetwork

extension ActionClassifier {
  /// The same model with scores divided by a temperature: softmax(z / T).
  ///
  /// Above 1 it is less confident, below 1 more confident; which label is the likeliest never
  /// changes (Guo et al., *On Calibration of Modern Neural Networks*, ICML 2017, §4.2). Weights and
  /// bias of the last linear layer take the factor, so that the model's layers stay what they were;
  /// where no linear layer is next to the softmax, a layer that scales is put in front of it.
  ///
  /// - Throws: ``ActionError`` for a temperature that is not above 0, and for a model that does not
  ///   end in a softmax.
  public func scaled(byTemperature temperature: Double) throws -> ActionClassifier {
    guard temperature > 0, temperature.isFinite else {
      throw ActionError(
        .unwritable, "a temperature of \(temperature) cannot be; it has to be above 0")
    }
    let softmaxes = model.graph.nodes.lastIndex {
      $0.outputs.contains(model.probabilitiesName)
    }.flatMap(softmaxes(upTo:))
    guard let softmaxes else {
      throw ActionError(
        .unsupportedModel,
        "the model does not end in a softmax, so that it has no scores to scale")
    }
    let factor = Float(1 / temperature)
    var nodes = model.graph.nodes
    do {
      // From the last on, so that a layer that is put in moves none of those before.
      for softmax in softmaxes.sorted(by: >) {
        guard let scores = nodes[softmax].inputs.first else { continue }
        if let (index, layer) = try scaledLinearLayer(before: scores, factor: factor) {
          let node = nodes[index]
          nodes[index] = Node(
            name: node.name, layer: layer, inputs: node.inputs, outputs: node.outputs)
        } else {
          let name = softmaxes.count == 1 ? "scaledScores" : "scaledScores_\(nodes[softmax].name)"
          nodes[softmax] = Node(
            name: nodes[softmax].name, layer: nodes[softmax].layer, inputs: [name],
            outputs: nodes[softmax].outputs)
          nodes.insert(
            Node(
              name: name, layer: Activation(.linear(factor: factor, term: 0)), inputs: [scores],
              outputs: [name]), at: softmax)
        }
      }
    } catch let error as NetworkError {
      throw ActionError(
        .unwritable, "the model's scores cannot be scaled: \(error.message)", cause: error)
    }
    var writer = modelWriter
    writer.graph = Graph(
      inputName: model.graph.inputName, inputShape: model.graph.inputShape, nodes: nodes)
    return try ActionClassifier(writer.bytes(), name: "the scaled model")
  }

  /// The indices of the softmaxes that a layer's output comes from, merged where a linear layer follows, and of
  /// each network where it is a mean of several; `nil` where something else is between.
  private func softmaxes(upTo index: Int) -> [Int]? {
    let node = model.graph.nodes[index]
    switch node.layer {
    case is Softmax: return [index]
    case is InnerProduct, is Addition, is Activation:
      var found: [Int] = []
      for input in node.inputs {
        guard
          let before = model.graph.nodes[..<index].lastIndex(where: { $0.outputs.contains(input) }),
          let softmaxes = softmaxes(upTo: before)
        else { return nil }
        found += softmaxes
      }
      return found
    default: return nil
    }
  }

  /// The linear layer from which the scores come unchanged but for their dimensions, scaled.
  private func scaledLinearLayer(
    before scores: String, factor: Float
  ) throws -> (index: Int, layer: any Layer)? {
    var blob = scores
    while let index = model.graph.nodes.lastIndex(where: { $0.outputs.contains(blob) }) {
      let node = model.graph.nodes[index]
      // No other layer may use what is scaled; shapes do not change.
      let users = model.graph.nodes.filter { $0.inputs.contains(blob) && !($0.layer is GetShape) }
      guard users.count == 1 else { return nil }
      switch node.layer {
      case is Reshape, is Transpose,
        is ReduceMean:
        break
      case let layer as Pooling where layer.operation == .average: break
      case var layer as Convolution:
        layer.weights = layer.weights.map { $0 * factor }
        layer.bias = layer.bias?.map { $0 * factor }
        return (index, layer)
      case let layer as InnerProduct:
        let scaled = try InnerProduct(
          inputChannels: layer.inputChannels, outputChannels: layer.outputChannels,
          weights: layer.weights.map { $0 * factor }, bias: layer.bias?.map { $0 * factor })
        return (index, scaled)
      default: return nil
      }
      blob = node.inputs.first ?? ""
    }
    return nil
  }
}
