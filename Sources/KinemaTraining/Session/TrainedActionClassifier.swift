public import Foundation
public import KinemaAction
import KinemaNetwork

/// What a training has led to.
public struct TrainedActionClassifier: Sendable {
  /// The layers.
  let graph: Graph
  /// The temperature that is folded into the last layer, fitted to the validation windows; `nil`
  /// where there are none or it does not help.
  public let temperature: Temperature?
  /// What is told apart, in the order of the model's outputs.
  public let labels: [String]
  /// How it was trained.
  public let parameters: ActionClassifierParameters
  /// What each iteration has led to.
  public let history: [TrainingMetrics]
  /// The iteration whose network this is.
  public let bestIteration: Int
  /// How many windows were learnt from.
  public let trainingWindowCount: Int
  /// How many windows judged.
  public let validationWindowCount: Int

  /// What the iteration whose network this is has led to.
  public var metrics: TrainingMetrics? { history.first { $0.iteration == bestIteration } }

  /// The keys under which a model carries how it was trained.
  public enum MetadataKey {
    /// The ``ActionClassifierParameters`` as JSON.
    public static let parameters = "org.kinema.parameters"
    /// What the kept iteration has led to, as JSON.
    public static let metrics = "org.kinema.metrics"
  }

  /// Writes the model as a `.mlmodel`, whole or not at all; the same training gives the same bytes.
  ///
  /// - Parameter metadata: What the model says about itself. Entries as Create ML makes them are
  ///   added, and those of ``MetadataKey``.
  /// - Throws: ``KinemaAction/ActionError`` where the file cannot be written.
  public func write(to url: URL, metadata: ModelMetadata = ModelMetadata(version: "1")) throws {
    try writer(metadata).write(to: url)
  }

  /// The model, ready to be used.
  ///
  /// - Throws: ``KinemaAction/ActionError`` for labels that a model cannot have.
  public func classifier(named name: String = "the trained model") throws -> ActionClassifier {
    try ActionClassifier(try writer(ModelMetadata()).bytes(), name: name)
  }

  private func writer(_ metadata: ModelMetadata) throws -> ModelWriter {
    var metadata = metadata
    metadata.userDefined[MetadataKey.parameters] = try parameters.json()
    metadata.userDefined[MetadataKey.metrics] = try metricsJSON()
    if graph.inputShape.last == 18 {
      // What Create ML writes for bodies, and only for them.
      metadata.userDefined["type"] = "action_classification"
      metadata.userDefined["target"] = "label"
      metadata.userDefined["classes"] = labels.joined(separator: ",")
      metadata.userDefined["max_iterations"] = String(parameters.maximumIterations)
    }
    return ModelWriter(
      graph: graph, labels: labels, frameRate: parameters.targetFrameRate, metadata: metadata)
  }

  /// What the model carries of its metrics; no times, so that the same training gives the same bytes.
  private struct KeptMetrics: Encodable {
    let iteration: Int
    let iterations: Int
    let trainingLoss: Double?
    let trainingAccuracy: Double?
    let validationLoss: Double?
    let validationAccuracy: Double?
    let trainingWindows: Int
    let validationWindows: Int
    let temperature: Double?
  }

  private func metricsJSON() throws -> String {
    let kept = KeptMetrics(
      iteration: bestIteration, iterations: history.count, trainingLoss: metrics?.trainingLoss,
      trainingAccuracy: metrics?.trainingAccuracy, validationLoss: metrics?.validationLoss,
      validationAccuracy: metrics?.validationAccuracy, trainingWindows: trainingWindowCount,
      validationWindows: validationWindowCount, temperature: temperature?.value)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(kept), as: UTF8.self)
  }
}

extension ActionClassifierParameters {
  /// The parameters as JSON, the same text for the same values.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
