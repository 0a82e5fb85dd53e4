package import Foundation
package import KinemaAction
import KinemaFiles
import KinemaModelFiles

/// The action classifiers for sessions: built-in, from the command line, and uploaded.
///
/// A model's id is derived from its file name. Only body action classifiers are accepted.
package actor ModelLibrary {
  /// The size limit of a file.
  package static let maximumByteCount = 64 << 20
  static let maximumUploadCount = 100
  /// Number of models that stay loaded besides those in use.
  private static let cacheSize = 4

  private struct Model {
    var description: ModelDescription
    var url: URL
  }

  /// Unusable files in the upload folder, a sentence each.
  package nonisolated let problems: [String]
  private let folder: URL
  private var catalogue: [Model]
  /// Loaded models, last used at the end.
  private var cache: [(id: String, classifier: ActionClassifier)] = []

  /// Collects the models.
  ///
  /// - Parameter folder: The folder of uploaded models, created on the first upload.
  /// - Throws: ``ServerError`` for an unusable additional model; unusable uploads are in
  ///   ``problems``.
  package init(
    folder: URL, additional: [URL] = [],
    builtIn: [URL] = [BuiltInModel.exercise, .workout].compactMap { $0.located() }
  ) throws {
    self.folder = folder
    var catalogue: [Model] = []
    var problems: [String] = []
    // A built-in model may be the one to start with.
    let named = Set(additional.map { $0.resolvingSymlinksInPath() })
    for url in additional + builtIn.filter({ !named.contains($0.resolvingSymlinksInPath()) }) {
      do {
        catalogue.append(try Self.model(at: url, isBuiltIn: true, beside: catalogue))
      } catch {
        throw ServerError(.badConfiguration, reporting: error)
      }
    }
    WholeFile.removeLeftovers(in: folder)
    let uploads = FolderContents(folder)
    if uploads == nil, FileManager.default.fileExists(atPath: folder.path) {
      problems.append(MessageText("unreadableFile", ["file": folder.path]).sentence)
    }
    for url in uploads?.files ?? [] where url.pathExtension == "mlmodel" {
      do {
        try ModelCheck.pass(url, as: url.lastPathComponent)
        catalogue.append(try Self.model(at: url, isBuiltIn: false, beside: catalogue))
      } catch {
        problems.append(ServerError(.badConfiguration, reporting: error).message)
      }
    }
    self.catalogue = catalogue
    self.problems = problems
  }

  /// All models: built-in, of the command line, uploaded.
  package func models() -> [ModelDescription] { catalogue.map(\.description) }

  package func description(of id: String) -> ModelDescription? {
    catalogue.first { $0.description.id == id }?.description
  }

  /// Loads a model; recently used ones stay loaded; throws ``ServerError``: `notFound`, or
  /// `storage` if its file is missing or damaged.
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
      let classifier = try ActionClassifier(contentsOf: model.url)
      cache.append((id, classifier))
      if cache.count > Self.cacheSize { cache.removeFirst() }
      return classifier
    } catch {
      throw ServerError(.storage, reporting: error)
    }
  }

  /// Loads a model with its description, if it exists; throws ``ServerError`` with the code
  /// `storage` if its file is missing or damaged.
  package func model(
    id: String
  ) throws -> (description: ModelDescription, classifier: ActionClassifier)? {
    guard let description = description(of: id) else { return nil }
    return (description, try classifier(id))
  }

  /// Saves an uploaded model.
  ///
  /// - Parameter name: The file name, any text, from which the id is derived.
  /// - Throws: ``ServerError``: `badRequest` for an invalid model, `storage` if it cannot be
  ///   written.
  package func add(_ data: Data, name: String) throws -> ModelDescription {
    guard data.count <= Self.maximumByteCount else {
      throw ServerError(
        .badRequest,
        MessageText(
          "largeModel",
          [
            "file": name, "megabytes": data.count >> 20,
            "limit": Self.maximumByteCount >> 20,
          ]))
    }
    guard catalogue.count(where: { !$0.description.isBuiltIn }) < Self.maximumUploadCount else {
      throw ServerError(
        .badRequest, MessageText("tooManyModels", ["limit": Self.maximumUploadCount]))
    }
    let modelName = ModelName(fileName: name)
    let free = modelName.unused { candidate in
      catalogue.contains { $0.description.id == candidate.id }
        || FileManager.default.fileExists(atPath: file(of: candidate).path)
    }
    let staged = try stage(data, for: file(of: free))
    let classifier = try Self.checked(staged, data, name: modelName.name + ".mlmodel")
    try storing { try staged.putInPlace() }
    let description = ModelDescription(
      id: free.id, name: free.name, of: classifier, isBuiltIn: false)
    catalogue.append(Model(description: description, url: file(of: free)))
    return description
  }

  /// The id of the uploaded model with the same bytes, if any.
  package func id(of data: Data) -> String? {
    // One that cannot be read has other bytes.
    catalogue.first { !$0.description.isBuiltIn && (try? Data(contentsOf: $0.url)) == data }?
      .description.id
  }

  /// Deletes an uploaded model; sessions that use it continue; throws ``ServerError``: `notFound`,
  /// `badRequest` for a model that was not uploaded, `storage`.
  package func remove(_ id: String) throws {
    guard let index = catalogue.firstIndex(where: { $0.description.id == id }) else {
      throw Self.notFound(id)
    }
    guard !catalogue[index].description.isBuiltIn else {
      throw ServerError(.badRequest, MessageText("builtInModel", ["name": id]))
    }
    let path = catalogue[index].url.path
    guard unlink(path) == 0 || errno == ENOENT else {
      throw ServerError(
        .storage,
        MessageText("notDeleted", ["file": path, "reason": String(cString: strerror(errno))]))
    }
    catalogue.remove(at: index)
    cache.removeAll { $0.id == id }
  }

  /// A model that a client has sent.
  private static func checked(
    _ file: WholeFile, _ data: Data, name: String
  ) throws -> ActionClassifier {
    do {
      try ModelCheck.pass(URL(filePath: file.path), as: name)
      return try ActionClassifier(Array(data), name: name)
    } catch {
      throw ServerError(.badRequest, reporting: error)
    }
  }

  // MARK: - Files

  private func file(of name: ModelName) -> URL { folder.appending(path: name.name + ".mlmodel") }

  /// Writes a file that is not in its place yet.
  private func stage(_ data: Data, for target: URL) throws -> WholeFile {
    try storing {
      try FileManager.default.createDirectory(
        at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
      mkdir(folder.path, 0o700)
      let file = try WholeFile(for: target)
      try file.write(data)
      return file
    }
  }

  private func storing<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      throw ServerError(
        .storage, MessageText("notStored", ["part": "model", "reason": "\(error)"]), cause: error)
    }
  }

  private static func model(
    at url: URL, isBuiltIn: Bool, beside models: [Model]
  ) throws -> Model {
    let classifier = try ActionClassifier(contentsOf: url)
    let name = ModelName(fileName: url.lastPathComponent).unused { candidate in
      models.contains { $0.description.id == candidate.id }
    }
    return Model(
      description: ModelDescription(
        id: name.id, name: name.name, of: classifier, isBuiltIn: isBuiltIn),
      url: url)
  }

  private static func notFound(_ id: String) -> ServerError {
    ServerError(.notFound, MessageText("noLiveModel", ["id": id.prefix(100)]))
  }
}
