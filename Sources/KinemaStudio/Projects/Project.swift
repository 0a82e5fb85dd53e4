package import Foundation
import KinemaFiles
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
    var tables: [Well: ItemTable] = [:]

    var items: [ProjectItem] { Well.allCases.flatMap { tables[$0]?.items ?? [] } }
  }

  /// The most rows of a project.
  package static let maximumItemCount = 100_000
  /// How many removed items can be brought back.
  private static let removedItemCount = 10_000
  private static let ignored = "poses/\nuploads/\nremoved.json\nruns/.lock\nruns/*/session/\n"

  package let id: String
  package let folder: ProjectFolder
  /// What the headers of its media say.
  package let headers: MediaHeaders
  /// The last description, which holds while the files are as they were.
  let lastSummary = Mutex<(key: SummaryKey, summary: ProjectSummary)?>(nil)
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

  /// Makes a project in a folder, which is made where it is new; throws ``StudioError``.
  package static func create(at url: URL, name: String) throws -> Project {
    let description = ProjectDescription(name: name)
    try description.check()
    let folder = ProjectFolder(url)
    guard !isProject(url) else {
      throw StudioError(.projectExists(folder: url.path))
    }
    try storing(.project) {
      for part in [folder.sources, folder.uploads, folder.runs] {
        try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
      }
      for well in Well.allCases where FileVersion(folder.table(well)) == nil {
        try WholeFile.write(ItemTable(well).csv, to: folder.table(well))
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
    try current { state in
      var description = state.description
      try change(&description)
      try description.check()
      try Self.storing(.project) {
        try WholeFile.write(try description.json, to: folder.projectFile)
      }
      return description
    }
  }

  // MARK: - Items

  /// The items of a well, or of all; those of a file only.
  package func items(in well: Well? = nil, of file: String? = nil) throws -> [ProjectItem] {
    try current { state in
      (well.map { state.tables[$0]?.items ?? [] } ?? state.items).filter {
        file == nil || $0.file == file
      }
    }
  }

  /// Adds items; throws ``StudioError`` where one cannot be used, and adds none then.
  ///
  /// One with the id of a removed item of its file is that item again, with its unknown columns.
  package func add(_ new: [NewItem], to well: Well = .training) throws -> [ProjectItem] {
    try current { state in
      var ids = Set(state.items.map(\.id))
      guard ids.count + new.count <= Self.maximumItemCount else {
        throw StudioError(.tooManyItems(limit: Self.maximumItemCount))
      }
      let items = try new.map { try item($0, to: well, ids: &ids) }
      var tables = state.tables
      for item in items { tables[item.well, default: ItemTable(item.well)].items.append(item) }
      try write(tables, Set(items.map(\.well)), in: state)
      return items
    }
  }

  /// Changes items; throws ``StudioError`` where one is missing or becomes unusable, and changes
  /// none then.
  package func change(_ ids: [String], _ change: ItemChange) throws -> [ProjectItem] {
    try current { state in
      var tables = state.tables
      var wells: Set<Well> = []
      let items = try Self.unique(ids).map { id in
        guard let well = Well.allCases.first(where: { tables[$0]?.index(of: id) != nil }),
          let index = tables[well]?.index(of: id), var item = tables[well]?.items[index]
        else { throw StudioError(.noItem(id: StudioMessage.quoted(id))) }
        item.label = change.label ?? item.label
        item.person = change.person ?? item.person
        item.start = change.start ?? item.start
        item.end = change.end ?? item.end
        item.well = change.well ?? well
        try item.check()
        wells.formUnion([well, item.well])
        if item.well == well {
          tables[well]?.items[index] = item
        } else {
          tables[well]?.items.remove(at: index)
          tables[item.well, default: ItemTable(item.well)].items.append(item)
        }
        return item
      }
      try write(tables, wells, in: state)
      return items
    }
  }

  /// Removes items, not their files; gives the number of those that were there.
  package func remove(_ ids: [String]) throws -> Int {
    let ids = Set(ids)
    return try current { state in
      var tables = state.tables
      let gone = state.items.filter { ids.contains($0.id) }
      let wells = Set(gone.map(\.well))
      for well in wells { tables[well]?.items.removeAll { ids.contains($0.id) } }
      // First: what is in both is in the project.
      try removed.withLock { try $0.add(gone) }
      try write(tables, wells, in: state)
      return gone.count
    }
  }

  /// Replaces the items of a file; one whose id stays, or is that of a removed one, keeps its unknown
  /// columns.
  package func replace(itemsOf file: String, with segments: [NewItem]) throws -> [ProjectItem] {
    try current { state in
      var known: [String: ProjectItem] = [:]
      for item in state.items where item.file == file { known[item.id] = item }
      var ids = Set(state.items.map(\.id))
      guard ids.count - known.count + segments.count <= Self.maximumItemCount else {
        throw StudioError(.tooManyItems(limit: Self.maximumItemCount))
      }
      var used: Set<String> = []
      let items = try segments.map { new in
        guard let old = new.id.flatMap({ known[$0] }), used.insert(old.id).inserted else {
          return try item(new, to: .training, ids: &ids)
        }
        return try old.changed(to: new)
      }
      var tables = state.tables
      for well in Well.allCases {
        var table = tables[well] ?? ItemTable(well)
        // Rows keep their place: those that stay are replaced where they are.
        let staying = Dictionary(
          items.filter { $0.well == well }.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let present = Set(table.items.map(\.id))
        table.items = table.items.compactMap { $0.file == file ? staying[$0.id] : $0 }
        table.items += items.filter { $0.well == well && !present.contains($0.id) }
        tables[well] = table
      }
      try removed.withLock { try $0.add(known.values.filter { !used.contains($0.id) }) }
      try write(
        tables, Set(items.map(\.well)).union(known.values.map(\.well)), in: state)
      return items
    }
  }

  /// The annotation file of a well as it would be written.
  package func csv(of well: Well) throws -> Data {
    try current { ($0.tables[well] ?? ItemTable(well)).csv }
  }

  /// The row of a new item: a removed one again, or another with an id of its own.
  private func item(
    _ new: NewItem, to well: Well, ids: inout Set<String>
  ) throws -> ProjectItem {
    if let id = new.id, let old = removed.withLock({ $0.item(id) }), old.file == new.file,
      ids.insert(id).inserted
    {
      return try old.changed(to: new)
    }
    var id = ""
    repeat {
      id = ProjectItem.newID()
    } while !ids.insert(id).inserted
    let item = ProjectItem(
      id: id, well: new.well ?? well, file: new.file,
      label: new.label.trimmingCharacters(in: .whitespacesAndNewlines), start: new.start,
      end: new.end, person: new.person.flatMap { $0.isEmpty ? nil : $0 })
    try item.check()
    return item
  }

  private static func unique(_ ids: [String]) -> [String] {
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
  }

  // MARK: - Training

  /// The data of a well; `nil` where it has no items.
  package func source(_ well: Well) throws -> ActionClassifierDataSource? {
    guard try !items(in: well).isEmpty else { return nil }
    return .directoryWithVideosAndAnnotation(
      at: folder.sources, annotationFile: folder.table(well))
  }

  /// The data for validation: the well of that name, or what the parameters say where it is empty.
  package func validation() throws -> ValidationData {
    if let source = try source(.validation) { return .dataSource(source) }
    return try description.parameters.training().validation.map { .split(strategy: $0) } ?? .none
  }

  /// How poses are extracted and kept.
  package var extraction: FeatureExtractor.Configuration { .init(cacheFolder: folder.poses) }

  // MARK: - Files

  /// Works on the project as its files are now.
  private func current<Result>(_ work: (State) throws -> Result) throws -> Result {
    try state.withLock { state in
      let files = [folder.projectFile] + Well.allCases.map(folder.table)
      let versions = files.map { FileVersion($0) }
      if versions != state.versions {
        state = State(
          versions: versions, description: try readDescription(), tables: try readTables())
      }
      return try work(state)
    }
  }

  private func readDescription() throws -> ProjectDescription {
    let file = folder.projectFile
    guard let data = try? Data(contentsOf: file) else {
      throw StudioError(.noProjectFile(folder: folder.url.path))
    }
    return try ProjectDescription(data, path: file.path)
  }

  private func readTables() throws -> [Well: ItemTable] {
    var ids: Set<String> = []
    var tables: [Well: ItemTable] = [:]
    for well in Well.allCases {
      let file = folder.table(well)
      guard FileVersion(file) != nil else { continue }
      guard let data = try? Data(contentsOf: file) else {
        throw StudioError(.unreadableFile(file: file.path))
      }
      tables[well] = try ItemTable(data, well: well, ids: &ids)
    }
    return tables
  }

  /// Writes the tables of some wells: those that grow first, so that an item that moves is in two of
  /// them and not in none where the process ends between.
  private func write(
    _ tables: [Well: ItemTable], _ wells: Set<Well>, in place: State
  ) throws {
    func growth(_ well: Well) -> Int {
      (tables[well]?.items.count ?? 0) - (place.tables[well]?.items.count ?? 0)
    }
    try Self.storing(.items) {
      for well in wells.sorted(by: { (growth($0), $1.rawValue) > (growth($1), $0.rawValue) }) {
        try WholeFile.write((tables[well] ?? ItemTable(well)).csv, to: folder.table(well))
      }
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

extension ItemTable {
  fileprivate func index(of id: String) -> Int? { items.firstIndex { $0.id == id } }
}
