public import Foundation
package import KinemaNetwork

/// Writes an action classifier as a `.mlmodel` that Core ML, Xcode and `coremltools` load.
///
/// Specification 4, a neural network classifier with the features that Create ML gives it: the
/// input `poses`, the outputs `labelProbabilities` and `label`, the preview type, window and frame
/// rate in the metadata. Weights are Float32.
package struct ModelWriter {
  /// The layers.
  package var graph: Graph
  /// The blob of the probabilities; `nil` for what the last layer makes.
  package var probabilitiesName: String?
  package var labels: [String]
  /// Whether the labels are whole numbers in decimal.
  package var hasIntegerLabels: Bool
  /// The frame rate of the training, in frames per second.
  package var frameRate: Double?
  package var metadata: ModelMetadata
  /// The names and descriptions of input and outputs, where they are not Create ML's.
  var features = Features()

  /// How a model calls what it takes and gives.
  struct Features {
    var inputDescription: String?
    var probabilitiesName = "labelProbabilities"
    var probabilitiesDescription: String?
    var labelName = "label"
    var labelDescription: String?
  }

  package init(
    graph: Graph, labels: [String], hasIntegerLabels: Bool = false, frameRate: Double? = nil,
    metadata: ModelMetadata = ModelMetadata()
  ) {
    self.graph = graph
    self.labels = labels
    self.hasIntegerLabels = hasIntegerLabels
    self.frameRate = frameRate
    self.metadata = metadata
  }

  /// The version of the specification, the first with shapes of any rank.
  private static let specificationVersion = 4

  /// Writes the file; what stands at that place is replaced when the new one is complete.
  package func write(to url: URL) throws {
    let bytes = try bytes()
    do {
      try Data(bytes).write(to: url, options: .atomic)
    } catch {
      throw ActionError(.unwritable, "“\(url.path)” cannot be written", cause: error)
    }
  }

  /// The file's bytes; throws ``ActionError`` for what the loader would refuse.
  package func bytes() throws -> [UInt8] {
    var model = WireWriter()
    model.integer(1, ModelWriter.specificationVersion)
    model.message(2, description)
    model.message(ModelSpecification.neuralNetworkClassifier, try network())
    // One that cannot be read back is not written.
    _ = try ActionClassifier(model.bytes, name: "the model to be written")
    return model.bytes
  }

  private func network() throws -> WireWriter {
    var network = WireWriter()
    for node in graph.nodes { network.message(1, try LayerEncoder.message(of: node)) }
    network.integer(5, 1)
    if hasIntegerLabels {
      let values = labels.compactMap { Int($0) }
      guard values.count == labels.count else {
        throw ActionError(.unwritable, "a label that should be a whole number is none")
      }
      network.message(101) { $0.integers(1, values) }
    } else {
      network.message(100) { vector in
        for label in labels { vector.text(1, label) }
      }
    }
    network.text(200, probabilitiesName ?? graph.nodes.last?.outputs.first ?? "")
    return network
  }

  // MARK: - The description

  private var description: WireWriter {
    var description = WireWriter()
    description.message(1) { input in
      input.text(1, graph.inputName)
      input.text(2, features.inputDescription ?? inputDescription)
      input.message(3) { type in
        type.message(5) { array in
          array.integers(1, graph.inputShape)
          array.integer(2, FeatureSpecification.float32)
        }
      }
    }
    description.message(10) { output in
      output.text(1, features.probabilitiesName)
      output.text(2, features.probabilitiesDescription ?? "Probability of each category")
      output.message(3) { type in
        type.message(6) { dictionary in dictionary.message(hasIntegerLabels ? 1 : 2) { _ in } }
      }
    }
    description.message(10) { output in
      output.text(1, features.labelName)
      output.text(2, features.labelDescription ?? "Most likely action category")
      output.message(3) { type in type.message(hasIntegerLabels ? 1 : 3) { _ in } }
    }
    description.text(11, features.labelName)
    description.text(12, features.probabilitiesName)
    description.message(100, metadataMessage)
    return description
  }

  private var isBody: Bool { graph.inputShape.last == 18 }

  private var windowSize: Int { graph.inputShape.first ?? 0 }

  private var inputDescription: String {
    let joints =
      isBody
      ? "nose, neck, right shoulder, right elbow, right wrist, left shoulder, left elbow, "
        + "left wrist, right hip, right knee, right ankle, left hip, left knee, left ankle, "
        + "right eye, left eye, right ear, left ear"
      : "wrist, then thumb, index, middle, ring and little finger, each from its base to its tip"
    return
      "Poses of \(windowSize) frames: frame, then x, y and confidence (the origin at the lower "
      + "left), then joint: \(joints)"
  }

  private var metadataMessage: WireWriter {
    var message = WireWriter()
    let texts = [
      metadata.shortDescription, metadata.version, metadata.author, metadata.license,
    ]
    for (index, text) in texts.enumerated() where !text.isEmpty { message.text(index + 1, text) }
    var userDefined = metadata.userDefined
    if isBody {
      userDefined[ModelMetadata.Key.type] = "action_classification"
      userDefined[ModelMetadata.Key.target] = features.labelName
      // Create ML joins the labels by commas, which a label with a comma would make ambiguous.
      userDefined[ModelMetadata.Key.classes] =
        labels.contains { $0.contains(",") } ? nil : labels.joined(separator: ",")
    }
    userDefined[ModelMetadata.Key.windowSize] = String(windowSize)
    if let frameRate { userDefined[ModelMetadata.Key.frameRate] = String(frameRate) }
    userDefined[ModelMetadata.Key.previewType] =
      isBody
      ? "actionClassifier" : windowSize == 1 ? "handPoseClassifier" : "handActionClassifier"
    for (key, value) in userDefined.sorted(by: { $0.key < $1.key }) {
      message.message(100) { entry in
        entry.text(1, key)
        entry.text(2, value)
      }
    }
    return message
  }
}

extension ActionClassifier {
  /// Writes the model as a `.mlmodel` that Core ML loads; weights become Float32.
  ///
  /// - Throws: ``ActionError`` where the file cannot be written.
  public func write(to url: URL) throws {
    try modelWriter.write(to: url)
  }

  /// The writer of this model: with the names and descriptions that it came with.
  package var modelWriter: ModelWriter {
    var writer = ModelWriter(
      graph: graph, labels: labels, hasIntegerLabels: hasIntegerLabels, frameRate: frameRate,
      metadata: metadata)
    writer.probabilitiesName = probabilitiesName
    writer.features.inputDescription = information.inputs.first?.description
    for output in information.outputs {
      if output.type == "dictionary" {
        writer.features.probabilitiesName = output.name
        writer.features.probabilitiesDescription = output.description
      } else {
        writer.features.labelName = output.name
        writer.features.labelDescription = output.description
      }
    }
    return writer
  }
}
