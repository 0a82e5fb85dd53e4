package import Foundation
import Glibc
import KinemaFiles
package import KinemaTraining
package import KinemaVision
import Synchronization

/// A folder with labelled videos, parameters and training runs.
///
/// May be used by several requests at once. Changes that others make to its files are noticed.
package final class Project: Sendable, Identifiable {
  struct State {
    var versions: [FileVersion?] = []
    var description = ProjectDescription(name: "")
    var tables = ProjectTables()
  }

  /// How many removed items can be brought back.
  private static let removedItemCount = 10_000
  private static let ignored =
    "poses/\nuploads/\nremoved.json\n.lock\nruns/.lock\nruns/*/session/\n"

  package let id: String
  package let folder: ProjectFolder
  /// What the headers of its media say.
  package let headers: MediaHeaders
  /// What finds poses.
  private let device: NetworkDevice
  let summaries = SummaryCache()
  let lock = Mutex<FileLock?>(nil)
  private let state = Mutex(State())
  /// Rows that were removed here, which come back as they were.
  let removed: Mutex<RemovedItems>

  /// Opens a project.
  ///
  /// - Parameter id: By what it is known; its folder's name by default.
  /// - Throws: ``StudioError``: `notFound` where there is no project, `badFile` where one of its
  ///   files is damaged.
  package init(opening url: URL, id: String? = nil, device: NetworkDevice = .cpu) throws {
    self.device = device
    folder = ProjectFolder(url)
    self.id = id ?? folder.url.lastPathComponent
    headers = MediaHeaders(in: folder.poses)
    removed = Mutex(RemovedItems(file: folder.removedItems, capacity: Self.removedItemCount))
    _ = try description
    for part in [folder.url, folder.poses] + folder.runFolders.map(\.url) {
      WholeFile.removeLeftovers(in: part)
    }
  }

  /// Whether a folder has a project.
  package static func isProject(_ url: URL) -> Bool {
    FileManager.default.isReadableFile(atPath: ProjectFolder(url).projectFile.path)
  }

  /// The labelled data in a folder or file: what a project's folder is to train on, or data of any
  /// layout.
  package static func data(at url: URL) -> ActionClassifierDataSource {
    let folder = ProjectFolder(url)
    guard isProject(url), FileVersion(folder.table(.training)) != nil else {
      return .automatic(at: url)
    }
    return folder.source(.training)
  }

  /// Makes a project in a folder, which is made where it is new; throws ``StudioError``.
  package static func create(at url: URL, name: String) throws -> Project {
    let description = ProjectDescription(name: name)
    try description.check()
    let folder = ProjectFolder(url)
    guard !isProject(url) else {
      throw StudioError(.projectExists(folder: url.path))
    }
    try storing(.project) {
      try PrivateFolder.make(folder.url)
      for part in [folder.sources, folder.uploads, folder.runs] {
        try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
      }
      for well in Well.allCases where FileVersion(folder.table(well)) == nil {
        var table = ItemTable(well)
        try WholeFile.write(table.csv(), to: folder.table(well))
      }
      let ignored = folder.url.appending(path: ".gitignore")
      if FileVersion(ignored) == nil { try WholeFile.write(Data(Self.ignored.utf8), to: ignored) }
      try WholeFile.write(try description.json, to: folder.projectFile)
    }
    return try Project(opening: url)
  }

  // MARK: - Description

  /// Name, parameters and metadata.
  package var description: ProjectDescription {
    get throws { try current { $0.description } }
  }

  /// When its name, parameters or items changed.
  package var modified: Date {
    get throws { try current { $0.versions.compactMap { $0?.modified }.max() ?? .distantPast } }
  }

  /// The versions of its files.
  var versions: [FileVersion?] {
    get throws { try current { $0.versions } }
  }

  /// Changes name, parameters or metadata; throws ``StudioError``.
  @discardableResult
  package func update(
    _ change: (inout ProjectDescription) throws -> Void
  ) throws -> ProjectDescription {
    try checkOwned()
    return try current { state in
      var description = state.description
      try change(&description)
      try description.check()
      try Self.storing(.project) {
        try WholeFile.write(try description.json, to: folder.projectFile)
      }
      (state.description, state.versions) = (description, fileVersions)
      return description
    }
  }

  // MARK: - Training

  /// The data of a well; `nil` where it has no items.
  package func source(_ well: Well) throws -> ActionClassifierDataSource? {
    guard try current({ !$0.tables.items(in: well).isEmpty }) else { return nil }
    return folder.source(well)
  }

  /// The data for validation: the well of that name, or what the parameters say where it is empty.
  package func validation() throws -> ValidationData {
    if let source = try source(.validation) { return .dataSource(source) }
    return try description.parameters.training().validation.map { .split(strategy: $0) } ?? .none
  }

  /// How poses are extracted and kept.
  package var extraction: FeatureExtractor.Configuration {
    .init(cacheFolder: folder.poses, extractor: .init(device: device))
  }

  // MARK: - Files

  var fileVersions: [FileVersion?] {
    ([folder.projectFile] + Well.allCases.map(folder.table)).map { FileVersion($0) }
  }

  /// Works on the project as its files are now.
  func current<Result>(_ work: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      let versions = fileVersions
      if versions != state.versions {
        state = State(
          versions: versions, description: try readDescription(), tables: try readTables())
      }
      return try work(&state)
    }
  }

  private func readDescription() throws -> ProjectDescription {
    let file = folder.projectFile
    guard let data = try Self.content(of: file) else {
      throw StudioError(.noProjectFile(folder: folder.url.path))
    }
    return try ProjectDescription(data, path: file.path)
  }

  private func readTables() throws -> ProjectTables {
    var ids: Set<String> = []
    var tables: [Well: ItemTable] = [:]
    for well in Well.allCases {
      guard let data = try Self.content(of: folder.table(well)) else { continue }
      tables[well] = try ItemTable(data, well: well, ids: &ids)
    }
    return ProjectTables(tables)
  }

  /// The content of a file; `nil` where there is none.
  ///
  /// - Throws: ``StudioError`` where there is one that cannot be read.
  package static func content(of file: URL) throws -> Data? {
    guard FileVersion(file) != nil else { return nil }
    do {
      return try Data(contentsOf: file)
    } catch {
      throw StudioError(.unreadableFile(file: file.path))
    }
  }

  /// Removes a file that may be missing.
  static func remove(_ file: URL) throws(WholeFile.Failure) {
    guard unlink(file.path) == 0 || errno == ENOENT else {
      throw WholeFile.Failure(file, number: errno)
    }
  }

  static func storing<Result>(
    _ part: StudioMessage.Part, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let error as StudioError {
      throw error
    } catch {
      let known = error as? WholeFile.Failure
      throw StudioError(
        .notStored(
          part: part, reason: known?.message ?? error.localizedDescription, text: known?.text))
    }
  }
}
