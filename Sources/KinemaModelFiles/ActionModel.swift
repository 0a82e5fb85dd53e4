package import Foundation
internal import KinemaFiles
package import KinemaNetwork

/// An action classifier as a model file holds it: its layers, and what the file says of them.
package struct ActionModel: Sendable {
  package let information: ModelInformation
  /// The layers as the file has them.
  package let graph: Graph
  package let probabilitiesName: String
  /// The network: its first output are the probabilities, the second the scores before them, if any.
  package let network: Network
  /// Whether the labels are whole numbers in decimal.
  package let hasIntegerLabels: Bool
  /// Whether the network's second output are the scores.
  package let givesLogits: Bool

  /// What is read: Core ML's models, and the ONNX models that ``ONNXWriter`` writes.
  private static let kinds: [FileKind] = [.coreML, .onnx]

  /// Reads a `.mlmodel`, the `.mlpackage` directory that holds one, or a `.onnx` of Kinema.
  ///
  /// - Throws: ``ModelFileError`` with what the file is, where it is no action classifier.
  package init(contentsOf url: URL) throws {
    let file = try ModelFile(url, kinds: Self.kinds)
    try self.init(file.bytes, name: file.name)
  }

  /// Reads a model's bytes; `name` is for messages.
  package init(_ bytes: [UInt8], name: String) throws {
    try ModelFile.checkFormat(of: bytes, name: name, kinds: Self.kinds)
    do {
      if FileKind(bytes) == .onnx {
        try self.init(onnx: bytes)
      } else {
        try self.init(coreML: bytes)
      }
    } catch let error as SpecificationError {
      throw ModelFileError(
        error.code, Self.legible("“\(name)” \(error.message)"),
        text: MessageText(
          "unusableModel", ["file": name, "reason": Self.legible(error.message)]),
        cause: error)
    } catch let error as NetworkError {
      throw ModelFileError(
        Self.code(of: error),
        Self.legible("“\(name)” cannot be run: \(error.message)"),
        text: MessageText(
          "unusableModel", ["file": name, "reason": Self.legible(error.message)]),
        cause: error)
    }
  }

  // MARK: - What is an action classifier

  private init(coreML bytes: [UInt8]) throws {
    let model = try ModelSpecification(bytes)
    let input = try Self.poses(of: model)
    let specification = try NetworkSpecification(model.content)
    try Self.check(specification)
    let graph = Graph(inputName: input.name, inputShape: input.shape, nodes: specification.nodes)
    guard let probabilities = specification.probabilitiesName else {
      throw SpecificationError.damaged("it has no layers")
    }
    let logits = specification.logitsName
    let network = try Network(graph, outputs: [probabilities] + (logits.map { [$0] } ?? []))
    guard network.outputShapes.allSatisfy({ $0.count == specification.labels.count }) else {
      throw SpecificationError(
        .malformedModel,
        "has \(specification.labels.count) labels but \(network.outputShapes[0].count) "
          + "classes")
    }
    self.graph = graph
    probabilitiesName = probabilities
    self.network = network
    givesLogits = logits != nil
    hasIntegerLabels = specification.hasIntegerLabels
    information = ModelInformation(model, specification, input: input, byteCount: bytes.count)
  }

  /// The input of poses; throws for every model that takes something else.
  private static func poses(of model: ModelSpecification) throws -> FeatureSpecification {
    guard model.kindField == ModelSpecification.neuralNetworkClassifier, model.inputs.count == 1,
      let input = model.inputs.first, input.kind == .multiArray, input.shape.count == 3,
      input.shape[0] >= 1, input.shape[1] == 3, input.shape[2] == 18 || input.shape[2] == 21,
      [FeatureSpecification.float32, FeatureSpecification.double].contains(input.dataType)
    else { throw ModelKind.refusal(of: model) }
    return input
  }

  private static func check(_ specification: NetworkSpecification) throws {
    guard !specification.hasPreprocessing else {
      throw SpecificationError(
        .unsupportedModel, "prepares images before its network; \(ModelKind.expectation)")
    }
    guard specification.keepsInputDimensions else {
      throw SpecificationError(
        .unsupportedModel,
        "spreads its input over five dimensions, as models before 2019 do; "
          + ModelKind.expectation)
    }
    try check(labels: specification.labels)
  }

  static func check(labels: [String]) throws {
    guard !labels.isEmpty else {
      throw SpecificationError(.malformedModel, "has no labels; \(ModelKind.expectation)")
    }
    var seen = Set<String>()
    for label in labels where !seen.insert(label).inserted {
      throw SpecificationError(.malformedModel, "has the label “\(label)” twice")
    }
  }

  /// A message for a terminal: names come from the file and may hold anything.
  private static func legible(_ message: String) -> String {
    let scalars = message.unicodeScalars.prefix(1000).map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? "\u{fffd}" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func code(of error: NetworkError) -> ModelFileError.Code {
    switch error.code {
    case .shape, .parameters, .graph: .malformedModel
    case .unsupported: .unsupportedModel
    case .limit: .tooLarge
    }
  }
}

extension ModelInformation {
  init(
    _ model: ModelSpecification, _ specification: NetworkSpecification,
    input: FeatureSpecification, byteCount: Int
  ) {
    var counts: [Int: Int] = [:]
    for field in specification.kindFields { counts[field, default: 0] += 1 }
    self.init(
      specificationVersion: model.version, kind: "neural network classifier",
      inputs: model.inputs.map(\.information), outputs: model.outputs.map(\.information),
      labels: specification.labels, windowSize: input.shape[0], jointCount: input.shape[2],
      frameRate: model.metadata.frameRate, metadata: model.metadata,
      layerCounts: counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        LayerCount(kind: LayerKind.name(ofField: $0.key), count: $0.value)
      },
      layerCount: specification.nodes.count,
      parameterCount: specification.nodes.reduce(0) { $0 + $1.layer.parameterCount },
      weightPrecisions: specification.weightCounts.sorted {
        ($1.value, $0.key) < ($0.value, $1.key)
      }
      .map(\.key),
      byteCount: byteCount)
  }
}
