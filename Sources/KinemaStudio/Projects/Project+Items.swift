package import Foundation
package import KinemaFiles
import Synchronization

/// The rows of a project's annotation files.
extension Project {
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

  /// The most rows of a project.
  package static let maximumItemCount = 100_000

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
}
