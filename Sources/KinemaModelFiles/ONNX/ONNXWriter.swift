package import Foundation
package import KinemaNetwork

/// Writes an action classifier as an ONNX model.
///
/// - Input: windows under Core ML's name of one (`poses`), `[batch, window, 3, joints]`; the number of windows
///   is free.
/// - Output: `labelProbabilities`, `[batch, labels]`.
///
/// Operator set 17 of the public `onnx.proto`; weights are Float32, whatever they were. Shape
/// arithmetic is done beforehand. What Core ML keeps beside the network (labels, window, frame
/// rate, joints, the author's metadata) is in `metadata_props`.
package struct ONNXWriter {
  package var graph: Graph
  package var probabilitiesName: String
  package var labels: [String]
  /// The names of the joints, in the order of the input's last dimension.
  package var joints: [String]
  /// The frame rate of the training, in frames per second.
  package var frameRate: Double?
  package var metadata: ModelMetadata

  /// The version of the file's structure that came with operator set 17.
  private static let structureVersion = 8
  private static let operatorSet = 17
  package static let outputName = "labelProbabilities"

  package init(
    graph: Graph, probabilitiesName: String, labels: [String], joints: [String],
    frameRate: Double?, metadata: ModelMetadata
  ) {
    (self.graph, self.probabilitiesName, self.labels) = (graph, probabilitiesName, labels)
    (self.joints, self.frameRate, self.metadata) = (joints, frameRate, metadata)
  }

  /// Writes the file, whole or not at all; throws ``ModelFileError`` for a layer without a
  /// counterpart, and where the file cannot be written.
  package func write(to url: URL) throws { try SpecificationWriter.write(try bytes(), to: url) }

  /// The file's bytes; throws ``ModelFileError`` for a layer without a counterpart.
  package func bytes() throws -> [UInt8] {
    var model = WireWriter()
    model.integer(1, ONNXWriter.structureVersion)
    model.text(2, "Kinema")
    model.text(6, metadata.shortDescription)
    model.message(7, try network())
    model.message(8) { $0.integer(2, ONNXWriter.operatorSet) }
    model.entries(14, try properties())
    return model.bytes
  }

  private func network() throws -> WireWriter {
    var place = "the network"
    do {
      let operands = try graph.operands()
      guard let probabilities = operands[probabilitiesName]?.shape,
        probabilities.count == labels.count
      else {
        throw NetworkError(.graph, "does not give one probability for each label")
      }
      var encoder = ONNXLayerEncoder()
      var names = [graph.inputName: encoder.graph.unusedName(graph.inputName)]
      let isWhole = probabilities.dimensions == [labels.count]
      let outputName = encoder.graph.unusedName(ONNXWriter.outputName)
      if isWhole { names[probabilitiesName] = outputName }

      func blob(_ name: String) throws -> ONNXLayerEncoder.Blob {
        guard let shape = operands[name]?.shape else {
          throw NetworkError(.graph, "uses the blob “\(name)”, which no layer makes")
        }
        if names[name] == nil {
          names[name] =
            if let values = operands[name]?.values {
              encoder.graph.constant(name, shape: shape.dimensions, values)
            } else {
              encoder.graph.unusedName(name)
            }
        }
        return .init(
          name: names[name] ?? name, shape: shape, isStored: operands[name]?.values != nil)
      }

      for node in nodesInUse(operands) {
        place = "layer “\(node.name)”"
        // Shapes and indices are written where they are used.
        let takesConstants = node.layer.kind == "reshapeDynamic" || node.layer is Gather
        let inputs = try node.inputs.enumerated().map { index, name in
          guard index > 0, takesConstants, let shape = operands[name]?.shape else {
            return try blob(name)
          }
          return .init(name: name, shape: shape)
        }
        try encoder.encode(
          node.layer, inputs: inputs, values: node.inputs.map { operands[$0]?.values },
          outputs: try node.outputs.map(blob))
      }
      place = "the network"
      if !isWhole {
        encoder.graph.reshape(
          try blob(probabilitiesName).name, to: ONNXLayerEncoder.batch([labels.count]),
          as: outputName)
      }
      return message(of: encoder.graph, inputName: names[graph.inputName] ?? graph.inputName)
    } catch let error as NetworkError {
      throw ModelFileError(
        .unwritable, "\(place) cannot be written as ONNX: it \(error.message)", cause: error)
    }
  }

  private func message(of network: ONNXGraph, inputName: String) -> WireWriter {
    var message = WireWriter()
    for node in network.nodes { message.message(1, node) }
    message.text(2, "ActionClassifier")
    for tensor in network.initializers { message.message(5, tensor) }
    message.message(
      11,
      ONNXMessages.value(
        inputName, shape: [.free("batch")] + graph.inputShape.map { .size($0) },
        description:
          "Poses: window, frame, then x, y and confidence (the origin at the lower left), "
          + "then joint."))
    message.message(
      12,
      ONNXMessages.value(
        ONNXWriter.outputName, shape: [.free("batch"), .size(labels.count)],
        description: "The probability of each label, in the order of the property “labels”."))
    return message
  }

  /// The nodes on which the probabilities depend and that are not constant.
  private func nodesInUse(_ operands: [String: Operand]) -> [Node] {
    var needed: Set = [probabilitiesName]
    var nodes: [Node] = []
    for node in graph.nodes.reversed() where node.outputs.contains(where: needed.contains) {
      guard node.outputs.contains(where: { operands[$0]?.values == nil }) else { continue }
      needed.formUnion(node.inputs)
      nodes.append(node)
    }
    return nodes.reversed()
  }

  /// What Core ML keeps beside the network.
  private func properties() throws -> [String: String] {
    var properties = metadata.userDefined
    properties["labels"] = try Self.json(labels)
    properties["joints"] = try Self.json(joints)
    properties[ModelMetadata.Key.windowSize] = String(graph.inputShape.first ?? 0)
    if let frameRate { properties[ModelMetadata.Key.frameRate] = String(frameRate) }
    let texts = [
      ("author", metadata.author), ("license", metadata.license), ("version", metadata.version),
    ]
    for (key, text) in texts where !text.isEmpty { properties[key] = text }
    return properties
  }

  private static func json(_ texts: [String]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: try encoder.encode(texts), as: UTF8.self)
  }
}
