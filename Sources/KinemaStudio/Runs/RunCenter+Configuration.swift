package import Foundation
package import KinemaAction
import KinemaModelFiles

extension RunCenter {
  package struct Configuration: Sendable {
    /// Where the rates of this machine are kept.
    package var folder: URL
    /// Loads the model that a training starts from; throws ``StudioError`` where there is none.
    package var model: @Sendable (_ id: String) async throws -> ActionClassifier
    /// How many threads may work at this moment.
    package var threadCount: @Sendable () -> Int
    package var checkpointInterval = Duration.seconds(2)

    package init(
      folder: URL,
      model: @escaping @Sendable (String) async throws -> ActionClassifier = Self.builtIn,
      threadCount: @escaping @Sendable () -> Int = {
        ProcessInfo.processInfo.activeProcessorCount
      }
    ) {
      self.folder = folder
      self.model = model
      self.threadCount = threadCount
    }

    /// The models that come with Kinema.
    package static func builtIn(_ id: String) throws -> ActionClassifier {
      guard let model = BuiltInModel(rawValue: id) else {
        throw StudioError(.noModel(id: StudioMessage.quoted(id)))
      }
      return try ActionClassifier(contentsOf: try model.url)
    }
  }
}
