public import Foundation
package import KinemaNetwork
public import KinemaPose
internal import Synchronization

/// Classifies what a person does in a window of poses, by a model that Create ML or Kinema trained.
///
/// - Input: windows of ``windowSize`` frames, each with x, y and confidence of every one of
///   ``joints``: normalised coordinates, the origin at the lower left. A joint that was not found
///   is (0, 1, 0), a frame without a person is all zeros.
/// - Output: a probability for each of ``labels``.
///
/// Models are read from Core ML's `.mlmodel` and from a `.mlpackage` that holds one: body actions,
/// hand actions and hand poses. Predictions may be asked for from several threads at once; each
/// costs one core.
public final class ActionClassifier: Sendable {
  /// The labels, in the model's order; integer labels in decimal.
  public var labels: [String] { information.labels }
  /// The number of frames in a window.
  public var windowSize: Int { information.windowSize }
  /// The joints of a frame in the order in which the model takes them: ``KinemaPose/JointKey/body``
  /// or ``KinemaPose/JointKey/hand``.
  public var joints: [JointKey] { information.jointCount == 18 ? JointKey.body : JointKey.hand }
  /// The frame rate of the training, in frames per second, where the file gives it.
  public var frameRate: Double? { information.frameRate }
  /// The file's metadata.
  public var metadata: ModelMetadata { information.metadata }
  /// What the labels are: in the file's metadata, else by their names.
  public let labelKinds: LabelKinds
  package let information: ModelInformation

  /// The layers as the file has them.
  package let graph: Graph
  package let probabilitiesName: String
  package let network: Network
  let hasIntegerLabels: Bool
  private let givesLogits: Bool
  /// Memory of finished runs, for reuse.
  private let workspaces = Mutex<[Workspace]>([])

  /// Loads a `.mlmodel` file, or a `.mlpackage` directory that holds one.
  ///
  /// - Throws: ``ActionError`` with what the file is, where it is no action classifier. Memory
  ///   and time are bounded, whatever the file holds.
  public convenience init(contentsOf url: URL) throws {
    let file = try ModelFile(url)
    try self.init(file.bytes, name: file.name)
  }

  /// Loads a model from its bytes; `name` is for messages.
  package init(_ bytes: [UInt8], name: String) throws {
    try ModelFile.checkFormat(of: bytes, name: name)
    do {
      let model = try ModelSpecification(bytes)
      let input = try ActionClassifier.poses(of: model)
      let specification = try NetworkSpecification(model.content)
      try ActionClassifier.check(specification)
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
      labelKinds = LabelKinds(information.metadata)
    } catch let error as SpecificationError {
      throw ActionError(
        error.code, ActionClassifier.legible("“\(name)” \(error.message)"),
        text: MessageText(
          "unusableModel", ["file": name, "reason": ActionClassifier.legible(error.message)]),
        cause: error)
    } catch let error as NetworkError {
      throw ActionError(
        ActionClassifier.code(of: error),
        ActionClassifier.legible("“\(name)” cannot be run: \(error.message)"),
        text: MessageText(
          "unusableModel", ["file": name, "reason": ActionClassifier.legible(error.message)]),
        cause: error)
    }
  }

  /// Predicts what is done in a window.
  ///
  /// - Parameter window: `[windowSize, 3, joints]` numbers, row by row; the middle dimension is x,
  ///   y and confidence.
  /// - Throws: ``ActionError`` for another number of values, and for values that are not finite.
  public func predict(_ window: [Float]) throws -> ClassificationDistribution {
    let shape = network.inputShape
    guard window.count == shape.count else {
      throw ActionError(
        .invalidWindow,
        "the window has \(window.count) numbers where the model takes \(shape), \(shape.count)")
    }
    guard window.allSatisfy(\.isFinite) else {
      throw ActionError(.invalidWindow, "the window has values that are not finite")
    }
    let workspace = workspaces.withLock { $0.popLast() } ?? Workspace(network)
    defer { workspaces.withLock { $0.append(workspace) } }
    workspace.run(window)
    let probabilities = workspace.output(0)
    guard probabilities.allSatisfy(\.isFinite) else {
      throw ActionError(
        .invalidPrediction,
        "the model gives numbers that are not finite; its weights are damaged or far too large")
    }
    return ClassificationDistribution(
      labels: labels, probabilities: probabilities,
      logits: givesLogits ? workspace.output(1) : nil)
  }

  // MARK: - What is an action classifier

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
    guard !specification.labels.isEmpty else {
      throw SpecificationError(.malformedModel, "has no labels; \(ModelKind.expectation)")
    }
    var seen = Set<String>()
    for label in specification.labels where !seen.insert(label).inserted {
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

  private static func code(of error: NetworkError) -> ActionError.Code {
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
