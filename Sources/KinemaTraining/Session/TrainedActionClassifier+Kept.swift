package import Foundation
import KinemaAction
import KinemaFiles
import KinemaModelFiles

extension TrainedActionClassifier {
  /// What a training has besides its network and its parameters.
  private struct Record: Codable {
    static let key = "org.kinema.training"
    let history: [TrainingMetrics]
    let bestIteration: Int
    let trainingWindowCount: Int
    let validationWindowCount: Int
  }

  /// Writes the network with the records of its training, for ``init(keptAt:parameters:)``.
  ///
  /// - Throws: ``KinemaAction/ActionError`` if the file cannot be written.
  package func keep(at url: URL) throws {
    let record = Record(
      history: history, bestIteration: bestIteration, trainingWindowCount: trainingWindowCount,
      validationWindowCount: validationWindowCount)
    var metadata = ModelMetadata(version: "1")
    metadata.userDefined[Record.key] = String(
      decoding: try JSONEncoder().encode(record), as: UTF8.self)
    try write(to: url, metadata: metadata)
  }

  /// Reads what ``keep(at:)`` has written.
  ///
  /// - Parameter parameters: Those of the training.
  /// - Throws: ``KinemaModelFiles/ModelFileError`` for a file that is no model, ``TrainingError`` for one that
  ///   was not kept.
  package init(keptAt url: URL, parameters: ActionClassifierParameters) throws {
    let model = try ActionModel(contentsOf: url)
    let text = model.information.metadata.userDefined[Record.key] ?? ""
    guard let record = try? JSONDecoder().decodeForeign(Record.self, from: Data(text.utf8)) else {
      // The reasons of the decoder name Swift's types.
      throw TrainingError(
        .badParameter,
        "\(url.path) is not a network of a training that was kept: remove it, and it is trained again."
      )
    }
    self.init(
      graph: model.graph, temperature: nil, leaveOneOut: nil, labels: model.information.labels,
      parameters: parameters, history: record.history, bestIteration: record.bestIteration,
      trainingWindowCount: record.trainingWindowCount,
      validationWindowCount: record.validationWindowCount)
  }
}
