package import Foundation
import Glibc
package import KinemaFiles
package import KinemaTraining
import Synchronization

/// A folder with labelled videos, parameters and training runs.
///
/// May be used by several requests at once. Changes that others make to its files are noticed.
package final class Project: Sendable, Identifiable {
  /// What of a row is changed; what is `nil` stays, an inner `nil` empties.
  package struct ItemChange: Sendable {
    package var label: String?
    package var well: Well?
    package var person: String??
    package var start: Double??
    package var end: Double??

    package init(
      label: String? = nil, well: Well? = nil, person: String?? = nil, start: Double?? = nil,
      end: Double?? = nil
    ) {
      (self.label, self.well, self.person, self.start, self.end) =
        (label, well, person, start, end)
    }
  }

  private struct State {
    var versions: [FileVersion?] = []
    var description = ProjectDescription(name: "")
    var tables = ProjectTables()
  }

  /// The most rows of a project.
  package static let maximumItemCount = 100_000
  /// How many removed items can be brought back.
  private static let removedItemCount = 10_000
  private static let ignored =
    "poses/\nuploads/\nremoved.json\n.lock\nruns/.lock\nruns/*/session/\n"

  package let id: String
  package let folder: ProjectFolder
  /// What the headers of its media say.
  package let headers: MediaHeaders
  let summaries = SummaryCache()
  let lock = Mutex<FileLock?>(nil)
  private let state = Mutex(State())
  /// Rows that were removed here, which come back as they were.
  private let removed: Mutex<RemovedItems>

  /// Opens a project.
  ///
  /// - Parameter id: By what it is known; its folder's name by default.
  /// - Throws: ``StudioError``: `notFound` where there is no project, `badFile` where one of its
  ///   files is damaged.
  package init(opening url: URL, id: String? = nil) throws {
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

  // MARK: - Items

  /// The items of a well, or of all.
  package func items(in well: Well? = nil) throws -> [ProjectItem] {
    try current { state in
      (well.map { [$0] } ?? Well.allCases).flatMap { state.tables.items(in: $0) }
    }
  }

  /// The items of a file.
  package func items(of file: String) throws -> [ProjectItem] {
    try current { $0.tables.items(of: file) }
  }

  /// Some items of a well, or of all, with a label or any, and how many there are.
  package func page(
    in well: Well?, label: String?, from offset: Int, limit: Int
  ) throws -> (items: [ProjectItem], count: Int) {
    try current { state in
      var (items, count): ([ProjectItem], Int) = ([], 0)
      for well in well.map({ [$0] }) ?? Well.allCases {
        for item in state.tables.items(in: well) where label == nil || item.label == label {
          if count >= offset, items.count < limit { items.append(item) }
          count += 1
        }
      }
      return (items, count)
    }
  }

  /// Whether a file has items.
  func hasItems(of file: String) throws -> Bool {
    try current { $0.tables.uses[FileName(file)] != nil }
  }

  /// How many items there are of each file.
  package var uses: [FileName: Int] {
    get throws { try current { $0.tables.uses } }
  }

  /// Adds items; throws ``StudioError`` where one cannot be used, and adds none then.
  ///
  /// One with the id of a removed item of its file is that item again, with its unknown columns.
  package func add(_ new: [NewItem], to well: Well = .training) throws -> [ProjectItem] {
    try change { tables in
      guard tables.count + new.count <= Self.maximumItemCount else {
        throw StudioError(.tooManyItems(limit: Self.maximumItemCount))
      }
      var ids: Set<String> = []
      let items = try new.map { try item($0, to: well, in: tables, ids: &ids) }
      tables.put(items)
      return items
    }
  }

  /// Changes items; throws ``StudioError`` where one is missing or becomes unusable, and changes
  /// none then.
  package func change(_ ids: [String], _ change: ItemChange) throws -> [ProjectItem] {
    try self.change { tables in
      let items = try Self.unique(ids).map { id in
        guard var item = tables.item(id) else {
          throw StudioError(.noItem(id: StudioMessage.quoted(id)))
        }
        item.label = change.label ?? item.label
        item.person = change.person ?? item.person
        item.start = change.start ?? item.start
        item.end = change.end ?? item.end
        item.well = change.well ?? item.well
        return try item.checked()
      }
      tables.put(items)
      return items
    }
  }

  /// Removes items, not their files; gives the number of those that were there.
  package func remove(_ ids: [String]) throws -> Int {
    try change { tables in
      let gone = Self.unique(ids).compactMap { tables.item($0) }
      // First: what is in both is in the project.
      try removed.withLock { try $0.add(gone) }
      tables.remove(Set(gone.map(\.id)))
      return gone.count
    }
  }

  /// Replaces the items of a file; one whose id stays, or is that of a removed one, keeps its unknown
  /// columns.
  ///
  /// - Parameter version: The ``version(of:)`` of the items that the new ones were made from; `nil` for
  ///   any.
  /// - Throws: ``StudioError``: `conflict` where the items have another version, and nothing changes
  ///   then.
  package func replace(
    itemsOf file: String, with segments: [NewItem], version: String? = nil
  ) throws -> [ProjectItem] {
    try change { tables in
      let present = tables.items(of: file)
      guard version == nil || version == Self.version(of: present) else {
        throw StudioError(.changedElsewhere(file: file))
      }
      let known = Dictionary(present.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      guard tables.count - known.count + segments.count <= Self.maximumItemCount else {
        throw StudioError(.tooManyItems(limit: Self.maximumItemCount))
      }
      var ids: Set<String> = []
      var used: Set<String> = []
      let items = try segments.map { new in
        guard let old = new.id.flatMap({ known[$0] }), used.insert(old.id).inserted else {
          return try item(new, to: .training, in: tables, ids: &ids)
        }
        return try old.changed(to: new)
      }
      let gone = present.filter { !used.contains($0.id) }
      try removed.withLock { try $0.add(gone) }
      tables.remove(Set(gone.map(\.id)))
      // Rows keep their place: those that stay are replaced where they are.
      tables.put(items)
      return items
    }
  }

  /// What identifies the segments of items, as ``replace(itemsOf:with:version:)`` changes them.
  package static func version(of items: [ProjectItem]) -> String {
    let rows = items.sorted { $0.id < $1.id }.map {
      [$0.id, $0.well.rawValue, $0.label, "\($0.start ?? -1)", "\($0.end ?? -1)"]
    }
    let text = rows.map { $0.joined(separator: "\u{1F}") }.joined(separator: "\u{1E}")
    return String(ContentHash.sha256(of: Data(text.utf8)).prefix(16))
  }

  /// The annotation file of a well as it would be written.
  package func csv(of well: Well) throws -> Data { try current { $0.tables.csv(of: well) } }

  /// Changes the tables, and writes those that have changed.
  private func change<Result>(_ change: (inout ProjectTables) throws -> Result) throws -> Result {
    try checkOwned()
    return try current { state in
      // A copy of 100,000 rows would take longer than the change: where it fails, files are read again.
      defer { if !state.tables.changedWells.isEmpty { state.versions = [] } }
      let result = try change(&state.tables)
      try Self.storing(.items) {
        for well in state.tables.changedWells {
          try WholeFile.write(state.tables.csv(of: well), to: folder.table(well))
        }
      }
      state.tables.noteWritten()
      state.versions = fileVersions
      return result
    }
  }

  /// The row of a new item: a removed one again, or another with an id of its own.
  ///
  /// - Parameter ids: Those that are taken beside those of the tables; that of the row is added.
  private func item(
    _ new: NewItem, to well: Well, in tables: ProjectTables, ids: inout Set<String>
  ) throws -> ProjectItem {
    if let id = new.id, let old = removed.withLock({ $0.item(id) }),
      FileName(old.file) == FileName(new.file), !tables.contains(id), ids.insert(id).inserted
    {
      return try old.changed(to: new)
    }
    var id = ""
    repeat {
      id = ProjectItem.newID()
    } while tables.contains(id) || !ids.insert(id).inserted
    return try ProjectItem(
      id: id, well: new.well ?? well, file: new.file,
      label: new.label.trimmingCharacters(in: .whitespacesAndNewlines), start: new.start,
      end: new.end, person: new.person.flatMap { $0.isEmpty ? nil : $0 }
    ).checked()
  }

  private static func unique(_ ids: [String]) -> [String] {
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
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
  package var extraction: FeatureExtractor.Configuration { .init(cacheFolder: folder.poses) }

  // MARK: - Files

  private var fileVersions: [FileVersion?] {
    ([folder.projectFile] + Well.allCases.map(folder.table)).map { FileVersion($0) }
  }

  /// Works on the project as its files are now.
  private func current<Result>(_ work: (inout State) throws -> Result) throws -> Result {
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
