package import Foundation
package import KinemaAction
import KinemaPose

/// The action classifiers that sessions may use: the one that comes with Kinema, those that the
/// command line names, and those that were uploaded.
///
/// A model's id is made of its file's name and stays the same from start to start. Only classifiers of
/// body actions are taken, as only bodies are followed live.
package actor ModelLibrary {
  /// Larger files are refused.
  package static let maximumByteCount = 64 << 20
  /// The most models that are kept of those uploaded.
  package static let maximumUploadCount = 100
  /// How many models stay loaded besides those in use.
  private static let cacheSize = 4

  private struct Model {
    var description: ModelDescription
    var url: URL
  }

  /// Files in the folder of uploads that are no models to use, a sentence each.
  package nonisolated let problems: [String]
  private let folder: URL
  private var catalogue: [Model]
  /// Loaded models, the one used last at the end.
  private var cache: [(id: String, classifier: ActionClassifier)] = []

  /// Collects the models.
  ///
  /// - Parameters:
  ///   - folder: Where uploaded models are kept; made when the first comes.
  ///   - additional: Models that the command line names.
  ///   - builtIn: The model that comes with Kinema; `nil` where it is not installed.
  /// - Throws: ``ServerError`` for an additional model that cannot be used. An uploaded one that cannot
  ///   is left out and told in ``problems``.
  package init(
    folder: URL, additional: [URL] = [], builtIn: URL? = BuiltInModel.exercise.located()
  ) throws {
    self.folder = folder
    var catalogue: [Model] = []
    var problems: [String] = []
    for url in additional + [builtIn].compactMap({ $0 }) {
      do {
        catalogue.append(try Self.model(at: url, isBuiltIn: true, beside: catalogue))
      } catch {
        throw ServerError(.badConfiguration, Self.reason(error), cause: error)
      }
    }
    for url in Self.uploads(in: folder) {
      do {
        catalogue.append(try Self.model(at: url, isBuiltIn: false, beside: catalogue))
      } catch {
        problems.append(Self.reason(error))
      }
    }
    self.catalogue = catalogue
    self.problems = problems
  }

  /// All models: the one that comes with Kinema, those of the command line, those uploaded.
  package func models() -> [ModelDescription] { catalogue.map(\.description) }

  /// A model; `nil` where there is none of this id.
  package func description(of id: String) -> ModelDescription? {
    catalogue.first { $0.description.id == id }?.description
  }

  /// Loads a model; the last few stay loaded.
  ///
  /// - Throws: ``ServerError``: `notFound` where there is none of this id, `storage` where its file is
  ///   gone or damaged by now.
  package func classifier(_ id: String) throws -> ActionClassifier {
    guard let model = catalogue.first(where: { $0.description.id == id }) else {
      throw Self.notFound(id)
    }
    if let index = cache.firstIndex(where: { $0.id == id }) {
      let entry = cache.remove(at: index)
      cache.append(entry)
      return entry.classifier
    }
    do {
      let classifier = try Self.load(model.url)
      cache.append((id, classifier))
      if cache.count > Self.cacheSize { cache.removeFirst() }
      return classifier
    } catch {
      throw ServerError(.storage, Self.reason(error), cause: error)
    }
  }

  /// Loads a model together with its description; `nil` where there is none of this id.
  ///
  /// - Throws: ``ServerError`` with the code `storage` where its file is gone or damaged by now.
  package func model(
    id: String
  ) throws -> (description: ModelDescription, classifier: ActionClassifier)? {
    guard let description = description(of: id) else { return nil }
    return (description, try classifier(id))
  }

  /// Keeps an uploaded model.
  ///
  /// - Parameters:
  ///   - data: The bytes of a `.mlmodel` file.
  ///   - name: The file's name, of which the id is made; any text.
  /// - Throws: ``ServerError``: `badRequest` with what is wrong with the model, `storage` where it cannot
  ///   be written.
  package func add(_ data: Data, name: String) throws -> ModelDescription {
    guard data.count <= Self.maximumByteCount else {
      throw ServerError(
        .badRequest,
        "The model has \(data.count >> 20) MB: at most \(Self.maximumByteCount >> 20) are taken.")
    }
    guard catalogue.count(where: { !$0.description.isBuiltIn }) < Self.maximumUploadCount else {
      throw ServerError(
        .badRequest, "There are \(Self.maximumUploadCount) uploaded models: delete one first.")
    }
    let modelName = ModelName(fileName: name)
    let classifier: ActionClassifier
    do {
      classifier = try ActionClassifier(Array(data), name: modelName.name + ".mlmodel")
      try Self.check(classifier, name: modelName.name)
    } catch {
      throw ServerError(.badRequest, Self.reason(error), cause: error)
    }
    let free = modelName.unused { candidate in
      catalogue.contains { $0.description.id == candidate.id }
        || FileManager.default.fileExists(atPath: file(of: candidate).path)
    }
    try write(data, to: file(of: free))
    let description = ModelDescription(
      id: free.id, name: free.name, of: classifier, isBuiltIn: false)
    catalogue.append(Model(description: description, url: file(of: free)))
    return description
  }

  /// Deletes an uploaded model; sessions that use it go on.
  ///
  /// - Throws: ``ServerError``: `notFound`, `badRequest` for a model that was not uploaded, `storage`
  ///   where it cannot be deleted.
  package func remove(_ id: String) throws {
    guard let index = catalogue.firstIndex(where: { $0.description.id == id }) else {
      throw Self.notFound(id)
    }
    guard !catalogue[index].description.isBuiltIn else {
      throw ServerError(
        .badRequest, "The model \(id) was not uploaded: it cannot be deleted.")
    }
    let path = catalogue[index].url.path
    guard unlink(path) == 0 || errno == ENOENT else {
      throw ServerError(
        .storage,
        "The model \(path) cannot be deleted (\(String(cString: strerror(errno)))): check the "
          + "permissions of its folder.")
    }
    catalogue.remove(at: index)
    cache.removeAll { $0.id == id }
  }

  // MARK: - Files

  private func file(of name: ModelName) -> URL { folder.appending(path: name.name + ".mlmodel") }

  private func write(_ data: Data, to url: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
      mkdir(folder.path, 0o700)
      try WholeFile.write(data, to: url)
    } catch {
      throw ServerError(
        .storage,
        "The model \(url.path) cannot be written (\(error)): check the permissions and the room of "
          + "its folder.", cause: error)
    }
  }

  /// The models in a folder in the order of their names.
  private static func uploads(in folder: URL) -> [URL] {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
      ?? []
    return files.filter { $0.pathExtension == "mlmodel" && !$0.lastPathComponent.hasPrefix(".") }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  private static func model(
    at url: URL, isBuiltIn: Bool, beside models: [Model]
  ) throws -> Model {
    let classifier = try load(url)
    let name = ModelName(fileName: url.lastPathComponent).unused { candidate in
      models.contains { $0.description.id == candidate.id }
    }
    return Model(
      description: ModelDescription(
        id: name.id, name: name.name, of: classifier, isBuiltIn: isBuiltIn),
      url: url)
  }

  private static func load(_ url: URL) throws -> ActionClassifier {
    let classifier = try ActionClassifier(contentsOf: url)
    try check(classifier, name: url.lastPathComponent)
    return classifier
  }

  /// Refuses classifiers of hands.
  private static func check(_ classifier: ActionClassifier, name: String) throws(ServerError) {
    let jointCount = classifier.information.jointCount
    guard jointCount == JointKey.body.count else {
      throw ServerError(
        .badRequest,
        "“\(name)” tells what hands do (it takes the \(jointCount) joints of a hand): give a "
          + "classifier of body actions, which takes \(JointKey.body.count) joints.")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as ActionError: error.message
    case let error as ServerError: error.message
    default: "\(error)"
    }
  }

  private static func notFound(_ id: String) -> ServerError {
    ServerError(.notFound, "There is no model “\(id.prefix(100))”: see the list of models.")
  }
}
