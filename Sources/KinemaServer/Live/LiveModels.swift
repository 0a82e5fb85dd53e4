package import KinemaAction

/// Where the live service finds the models that clients ask for.
package protocol LiveModels: Sendable {
  /// A model by its id; `nil` where there is none.
  ///
  /// - Throws: What is wrong with the model's file.
  func model(
    id: String
  ) async throws -> (description: ModelDescription, classifier: ActionClassifier)?
}

extension ModelLibrary: LiveModels {}
