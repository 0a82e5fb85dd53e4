public import Foundation
import KinemaAction
import KinemaModelFiles
import KinemaNetwork

// MARK: - Folders

extension ActionClassifierTrainingSession {
  /// Removes the checkpoint and log of a folder.
  ///
  /// - Throws: ``TrainingError`` if another process trains there.
  public static func discard(folder: URL) throws {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    let folder = try TrainingSessionFolder(folder)
    try folder.locked { try folder.clear() }
  }

  /// Gives the training of a folder another number of epochs: a complete one continues from its end.
  ///
  /// From there on, the learning rate follows the schedule of the new number. Nothing changes where
  /// there is no checkpoint, or it has that number.
  ///
  /// - Throws: ``TrainingError`` if the checkpoint is damaged or cannot be written.
  package static func setIterationCount(_ count: Int, folder: URL) throws {
    let folder = try TrainingSessionFolder(folder)
    try folder.locked {
      guard var checkpoint = try folder.checkpoint() else { return }
      var parameters = try checkpoint.parameters()
      guard parameters.maximumIterations != count else { return }
      parameters.maximumIterations = count
      checkpoint.identity.parameters = try parameters.json()
      checkpoint.state.isFinished = checkpoint.state.iteration >= count
      try checkpoint.write(to: folder.checkpointURL)
    }
  }
}

// MARK: - Checking

extension ActionClassifierTrainingSession {
  static func check(
    _ windows: TrainingWindows, labels: [String], parameters: ActionClassifierParameters
  ) throws {
    let present = Set(windows.windows.map { windows.label(of: $0) })
    guard let missing = labels.indices.first(where: { !present.contains($0) }) else { return }
    let seconds = (parameters.actionDuration * 100).rounded() / 100
    throw TrainingError(
      .badData,
      MessageText("noWindow", ["label": labels[missing], "seconds": seconds]))
  }

  static func identity(
    _ parameters: ActionClassifierParameters, _ labels: [String], _ training: TrainingWindows,
    _ validation: TrainingWindows, _ transfer: TransferLearning?
  ) throws -> TrainingCheckpoint.Identity {
    var fingerprint = Fingerprint()
    for label in labels { fingerprint.add(label) }
    training.add(to: &fingerprint)
    validation.add(to: &fingerprint)
    for node in transfer?.layers.model.graph.nodes ?? [] {
      if let layer = node.layer as? Convolution { fingerprint.add(layer.weights) }
    }
    return TrainingCheckpoint.Identity(parameters: try parameters.json(), data: fingerprint.text)
  }
}
