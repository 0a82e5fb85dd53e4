extension NetworkTrainer {
  /// Takes over the layers of a compact network that ``graph(temperature:)`` wrote: its body, and
  /// the scores of classes that both have.
  ///
  /// - Parameter classes: For each class of this network that of the other one, `nil` for a new one,
  ///   whose initial weights stay.
  /// - Throws: ``NetworkError`` where the layers are not those of such a network.
  package func adopt(_ graph: Graph, classes: [Int?]) throws {
    guard specification.graph == nil else {
      throw NetworkError(.unsupported, "only the compact networks can take over layers")
    }
    let layers = Dictionary(graph.nodes.map { ($0.name, $0.layer) }) { first, _ in first }
    func layer<Kind>(_ name: String, _: Kind.Type) throws -> Kind {
      guard let layer = layers[name] as? Kind else {
        throw NetworkError(
          .unsupported, "it has no layer “\(name)” as the network \(specification.architecture)")
      }
      return layer
    }
    var stages: [(TemporalStage, Convolution, BatchNormalization)] = []
    for (index, stage) in model.temporalStages.enumerated() {
      let convolution = try layer("block\(index)_conv", Convolution.self)
      let normalization = try layer("block\(index)_norm", BatchNormalization.self)
      let sizes = stage.sizes
      guard
        convolution.weights.count == sizes.taps * sizes.inputChannels * sizes.outputChannels,
        normalization.gamma.count == sizes.outputChannels
      else { throw NetworkError(.shape, "its layers have other sizes or another number of points") }
      stages.append((stage, convolution, normalization))
    }
    let input = try layer("input_norm", BatchNormalization.self)
    let scores = try layer("scores", InnerProduct.self)
    let head = model.head
    let channels = model.plan.blocks.last?.channels ?? 0
    guard input.gamma.count == specification.channelCount, scores.inputChannels == channels,
      classes.count == head.classCount,
      classes.allSatisfy({ ($0 ?? 0) < scores.outputChannels })
    else { throw NetworkError(.shape, "its layers have other sizes or another number of points") }

    restore(
      input, to: model.input.normalization,
      scale: InputStage.WindowNormalization.length(specification))
    for (stage, convolution, normalization) in stages {
      let sizes = stage.sizes
      // [columns][rows][taps] to [taps][rows][columns].
      let (rows, columns) = (sizes.inputChannels, sizes.outputChannels)
      for tap in 0..<sizes.taps {
        for row in 0..<rows {
          for column in 0..<columns {
            model.context.parameters.weights[
              stage.weights + (tap * rows + row) * columns + column] =
              convolution.weights[(column * rows + row) * sizes.taps + tap]
          }
        }
      }
      restore(normalization, to: stage.normalization)
    }
    for (target, source) in classes.enumerated() {
      guard let source else { continue }
      for channel in 0..<channels {
        model.context.parameters.weights[head.weights + channel * head.classCount + target] =
          scores.weights[source * channels + channel]
      }
      model.context.parameters.weights[head.bias + target] = scores.bias?[source] ?? 0
    }
  }

  /// Adds to the score of each class, which multiplies its odds by the exponential.
  ///
  /// See Saerens, Latinne and Decaestecker, *Adjusting the Outputs of a Classifier to New a Priori
  /// Probabilities*, 2002, eq. 2.4.
  package func addToScores(_ offsets: [Float]) {
    precondition(offsets.count == model.head.classCount, "Each class has an offset.")
    for (index, offset) in offsets.enumerated() {
      model.context.parameters.weights[model.head.bias + index] += offset
    }
  }

  /// The inverse of the export of a normalisation whose input was `scale` times as large.
  private func restore(
    _ layer: BatchNormalization, to normalization: TrainingNormalization, scale: Float = 1
  ) {
    let epsilon = Float(TrainingNormalization.epsilon)
    let weights = model.context.parameters.weights
    for channel in 0..<normalization.channels {
      let variance = layer.variance[channel] * scale * scale
      let factor = (variance + epsilon) / (layer.variance[channel] + layer.epsilon)
      weights[normalization.gamma + channel] =
        layer.gamma[channel] * (scale == 1 ? 1 : factor.squareRoot() / scale)
      weights[normalization.beta + channel] = layer.beta[channel]
      normalization.runningMean[channel] = layer.mean[channel] * scale
      normalization.runningVariance[channel] = variance
    }
  }
}
