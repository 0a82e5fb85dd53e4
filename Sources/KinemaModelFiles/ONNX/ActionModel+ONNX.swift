internal import Foundation
internal import KinemaFiles
import KinemaFiles
internal import KinemaNetwork

extension ActionModel {
  private static let expectation =
    "Kinema reads the ONNX models that it writes itself (kinema model convert), and action classifiers as "
    + ".mlmodel or .mlpackage"

  /// Reads an ONNX model that ``ONNXWriter`` wrote; throws ``SpecificationError`` and `NetworkError`.
  init(onnx bytes: [UInt8]) throws {
    let model = try ONNXSpecification(bytes)
    guard model.inputs.count == 1, let input = model.inputs.first, input.shape.count == 4,
      input.shape[0] == 0, input.shape[1] >= 1, input.shape[2] == 3,
      [18, 21].contains(input.shape[3]), model.outputs.count == 1, let output = model.outputs.first
    else {
      throw SpecificationError(
        .unsupportedModel,
        "is an ONNX model with another input than windows of poses; \(Self.expectation)")
    }
    guard let labels = Self.labels(of: model) else {
      throw SpecificationError(
        .unsupportedModel, "is an ONNX model without labels in its metadata; \(Self.expectation)")
    }
    try Self.check(labels: labels)
    let window = Array(input.shape.dropFirst())
    var decoder = try ONNXLayerDecoder(model, input: input.name, shape: window)
    _ = try decoder.operand(output.name)
    let logits = Self.logits(of: output.name, in: decoder.nodes)
    graph = Graph(inputName: input.name, inputShape: window, nodes: decoder.nodes)
    probabilitiesName = output.name
    network = try Network(graph, outputs: [output.name] + (logits.map { [$0] } ?? []))
    guard network.outputShapes.allSatisfy({ $0.count == labels.count }) else {
      throw SpecificationError(
        .malformedModel,
        "has \(labels.count) labels but \(network.outputShapes[0].count) classes")
    }
    givesLogits = logits != nil
    hasIntegerLabels = false
    let kinds = Dictionary(grouping: decoder.nodes, by: \.layer.kind).mapValues(\.count)
    information = ModelInformation(
      specificationVersion: model.operatorSet, kind: "ONNX neural network",
      inputs: [Self.feature(input, window)], outputs: [Self.feature(output, [labels.count])],
      labels: labels, windowSize: window[0], jointCount: window[2],
      frameRate: Self.metadata(of: model).frameRate, metadata: Self.metadata(of: model),
      layerCounts: kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        .init(kind: $0.key, count: $0.value)
      },
      layerCount: decoder.nodes.count, parameterCount: decoder.parameterCount,
      weightPrecisions: ["Float32"], byteCount: bytes.count)
  }

  private static func labels(of model: ONNXSpecification) -> [String]? {
    // A property that is no list of labels is that of another tool.
    model.properties["labels"].flatMap {
      try? JSONDecoder().decodeForeign([String].self, from: Data($0.utf8))
    }
  }

  /// The scores that a final softmax turns into the probabilities, which may then get other dimensions.
  private static func logits(of name: String, in nodes: [Node]) -> String? {
    var name = name
    for node in nodes.reversed() where node.outputs.contains(name) {
      guard let input = node.inputs.first else { return nil }
      if node.layer is Softmax { return input }
      guard node.layer is Reshape else { return nil }
      name = input
    }
    return nil
  }

  private static func feature(
    _ value: ONNXSpecification.Value, _ shape: [Int]
  ) -> ModelInformation.Feature {
    .init(
      name: value.name, type: "multi-array (Float32)", shape: shape, description: value.description)
  }

  /// What Core ML keeps beside the network, as ``ONNXWriter`` stores it.
  private static func metadata(of model: ONNXSpecification) -> ModelMetadata {
    var own = model.properties
    for key in ["labels", "joints"] { own[key] = nil }
    func take(_ key: String) -> String { own.removeValue(forKey: key) ?? "" }
    return ModelMetadata(
      shortDescription: model.description, author: take("author"), license: take("license"),
      version: take("version"), userDefined: own)
  }
}
