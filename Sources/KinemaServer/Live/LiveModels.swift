package import KinemaAction

/// Where the live service finds the models that clients ask for.
package protocol LiveModels: Sendable {
  /// A model by its id, if it exists; throws the error of the model's file.
  func model(
    id: String
  ) async throws -> (description: ModelDescription, classifier: ActionClassifier)?
}

extension ModelLibrary: LiveModels {}
