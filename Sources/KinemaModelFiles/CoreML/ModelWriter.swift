package import Foundation
package import KinemaNetwork

/// Writes an action classifier as a `.mlmodel` that Core ML, Xcode and `coremltools` load.
///
/// Specification 4, a neural network classifier with the features that Create ML gives it: the
/// input `poses`, the outputs `labelProbabilities` and `label`, the preview type, window and frame
/// rate in the metadata. Weights are Float32.
package struct ModelWriter {
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
  package var features = Features()

  package struct Features {
    package var inputDescription: String?
    package var probabilitiesName = "labelProbabilities"
    package var probabilitiesDescription: String?
    package var labelName = "label"
    package var labelDescription: String?
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

  /// Writes the file, whole or not at all; throws ``ModelFileError``.
  package func write(to url: URL) throws { try SpecificationWriter.write(try bytes(), to: url) }

  /// The file's bytes; throws ``ModelFileError`` for a model that the loader would refuse.
  package func bytes() throws -> [UInt8] {
    let bytes = SpecificationWriter.model(
      kind: ModelSpecification.neuralNetworkClassifier, description: description,
      network: try network())
    // A model that cannot be read back is not written.
    _ = try ActionModel(bytes, name: "the model to be written")
    return bytes
  }

  private func network() throws -> WireWriter {
    var network = try SpecificationWriter.network(of: graph)
    if hasIntegerLabels {
      let values = labels.compactMap { Int($0) }
      guard values.count == labels.count else {
        throw ModelFileError(.unwritable, "a label that should be a whole number is not one")
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
    description.message(
      1,
      SpecificationWriter.feature(
        graph.inputName, features.inputDescription ?? inputDescription, shape: graph.inputShape))
    description.message(
      10,
      SpecificationWriter.feature(
        features.probabilitiesName,
        features.probabilitiesDescription ?? "Probability of each category"
      ) { type in
        type.message(6) { dictionary in dictionary.message(hasIntegerLabels ? 1 : 2) { _ in } }
      })
    description.message(
      10,
      SpecificationWriter.feature(
        features.labelName, features.labelDescription ?? "Most likely action category"
      ) { type in type.message(hasIntegerLabels ? 1 : 3) { _ in } })
    description.text(11, features.labelName)
    description.text(12, features.probabilitiesName)
    description.message(100, SpecificationWriter.metadata(completeMetadata))
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

  /// The metadata with the entries that Create ML writes.
  private var completeMetadata: ModelMetadata {
    var metadata = metadata
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
    metadata.userDefined = userDefined
    return metadata
  }
}
