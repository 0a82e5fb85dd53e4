public import Foundation
public import KinemaAction
import KinemaCounting
import KinemaFiles
public import KinemaModelFiles
import KinemaNetwork

/// The result of a training.
public struct TrainedActionClassifier: Sendable {
  private(set) var graph: Graph
  /// The temperature in the last layer, fitted to the validation windows, if one helps.
  public let temperature: Temperature?
  /// How takes that were left out are classified, after a ``TransferLearning``.
  public let leaveOneOut: LeaveOneOut?
  /// The labels in the order of the model's outputs.
  public private(set) var labels: [String]
  /// What each score of the network stands for, where labels are made of several
  /// (``merged(into:by:odds:)``); `nil` where each stands for a label.
  private(set) var parts: [String]?
  /// The parameters of the training.
  public let parameters: ActionClassifierParameters
  /// The metrics of each epoch.
  public let history: [TrainingMetrics]
  /// The epoch of this network.
  public let bestIteration: Int
  /// The number of training windows.
  public let trainingWindowCount: Int
  /// The number of validation windows.
  public let validationWindowCount: Int

  /// The metrics of ``bestIteration``.
  public var metrics: TrainingMetrics? { history.first { $0.iteration == bestIteration } }

  /// Metadata keys of a trained model.
  public enum MetadataKey {
    /// The ``ActionClassifierParameters`` as JSON.
    public static let parameters = "org.kinema.parameters"
    /// The metrics of the best epoch as JSON.
    public static let metrics = "org.kinema.metrics"
    /// What each score of the network stands for, as JSON, where labels are made of several.
    static let parts = "org.kinema.parts"
  }

  /// Writes the model as a `.mlmodel`, atomically; the same training gives the same bytes.
  ///
  /// - Parameter metadata: Metadata of the model; Create ML's entries and ``MetadataKey`` are
  ///   added.
  /// - Throws: ``KinemaAction/ActionError`` if the file cannot be written.
  public func write(to url: URL, metadata: ModelMetadata = ModelMetadata(version: "1")) throws {
    try writer(metadata).write(to: url)
  }

  /// The model as a classifier.
  ///
  /// - Throws: ``KinemaAction/ActionError`` for invalid labels.
  public func classifier(named name: String = "the trained model") throws -> ActionClassifier {
    try ActionClassifier(try writer(ModelMetadata()).bytes(), name: name)
  }

  /// The same model with the probabilities of its labels added up to those of others.
  ///
  /// - Parameters:
  ///   - labels: The labels of the result, in the order of its outputs.
  ///   - label: The one that each of the model's own labels belongs to.
  ///   - odds: By which factor a label is more frequent than in training; 1 where it is left out.
  ///   - sharpness: The power to which the probabilities are raised before they are added up.
  /// - Throws: ``TrainingError`` where one of them is not among `labels`.
  package func merged(
    into labels: [String], by label: (String) -> String, odds: [String: Float] = [:],
    sharpness: Float = 1
  ) throws -> TrainedActionClassifier {
    var result = self
    do {
      result.graph = try graph.merging(
        self.labels.map { labels.firstIndex(of: label($0)) ?? -1 }, into: labels.count,
        odds: Dictionary(
          uniqueKeysWithValues: labels.enumerated().map { ($0, odds[$1] ?? 1) }),
        sharpness: sharpness)
    } catch let error as NetworkError {
      throw TrainingError(.badParameter, "The labels cannot be merged: \(error.message).")
    }
    result.labels = labels
    result.parts = self.labels
    return result
  }

  /// A model that gives the mean of the probabilities of several trainings, with the records of the first.
  ///
  /// - Throws: ``TrainingError`` for trainings of different labels, and for none.
  package static func averaging(
    _ trainings: [TrainedActionClassifier]
  ) throws -> TrainedActionClassifier {
    guard var result = trainings.first, trainings.allSatisfy({ $0.labels == result.labels }) else {
      throw TrainingError(.badParameter, "Only trainings of the same labels can be averaged.")
    }
    do {
      result.graph = try Graph.averaging(trainings.map(\.graph))
    } catch let error as NetworkError {
      throw TrainingError(.badParameter, "The trainings cannot be averaged: \(error.message).")
    }
    return result
  }

  private func writer(_ metadata: ModelMetadata) throws -> ModelWriter {
    var metadata = metadata
    metadata.userDefined[MetadataKey.parameters] = try parameters.json()
    metadata.userDefined[MetadataKey.metrics] = try metricsJSON()
    if let parts {
      metadata.userDefined[MetadataKey.parts] = String(
        decoding: try JSONEncoder().encode(parts), as: UTF8.self)
    }
    try metadata.store(LabelKinds(metadata), of: labels)
    if graph.inputShape.last == 18 {
      // Create ML writes these for bodies only.
      metadata.userDefined["type"] = "action_classification"
      metadata.userDefined["target"] = "label"
      metadata.userDefined["classes"] = labels.joined(separator: ",")
      metadata.userDefined["max_iterations"] = String(parameters.maximumIterations)
    }
    return ModelWriter(
      graph: graph, labels: labels, frameRate: parameters.targetFrameRate, metadata: metadata)
  }

  /// Metrics without times, so that the same training gives the same bytes.
  private func metricsJSON() throws -> String {
    let metrics = metrics
    let stored: JSONObject = [
      "iteration": bestIteration, "iterations": history.count,
      "trainingLoss": metrics?.trainingLoss, "trainingAccuracy": metrics?.trainingAccuracy,
      "validationLoss": metrics?.validationLoss, "validationAccuracy": metrics?.validationAccuracy,
      "trainingWindows": trainingWindowCount, "validationWindows": validationWindowCount,
      "temperature": temperature?.value,
    ]
    return String(decoding: try stored.jsonText(isPretty: false).dropLast(), as: UTF8.self)
  }
}

extension ActionClassifierParameters {
  /// The parameters as deterministic JSON.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
