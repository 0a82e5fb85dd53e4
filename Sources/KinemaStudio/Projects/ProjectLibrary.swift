package import Foundation
import Glibc
import KinemaFiles
package import KinemaVision
import Synchronization

/// The projects in a folder, and those that were opened elsewhere.
///
/// A deleted project is kept aside for 30 days.
package final class ProjectLibrary: Sendable {
  /// A project that can be restored.
  package struct Deleted: Codable, Hashable, Sendable {
    /// By what it is restored.
    package var id: String
    package var name: String
    package var deleted: Date
  }

  private struct State {
    var open: [String: Project] = [:]
    /// The projects outside the folder.
    var elsewhere: [String: URL] = [:]
  }

  /// How long a deleted project is kept, in seconds: 30 days.
  static let keepingTime = 30.0 * 86_400

  package let folder: URL
  /// What finds the poses of its projects.
  private let device: NetworkDevice
  private let state = Mutex(State())

  /// Opens the library of a folder, which is made when it is needed; removes projects that were
  /// deleted more than 30 days ago.
  package init(folder: URL, device: NetworkDevice = .cpu, now: Date = Date()) {
    self.folder = folder.standardizedFileURL
    self.device = device
    // That of earlier versions was open to others.
    chmod(folder.path, 0o700)
    for project in deleted() where now.timeIntervalSince(project.deleted) > Self.keepingTime {
      // What cannot be removed is tried again at the next start.
      try? FileManager.default.removeItem(at: deletedFolder.appending(path: project.id))
    }
    for name in Self.names(in: folder, hidden: true) where name.hasPrefix(".new-") {
      let url = folder.appending(path: name)
      let made = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.modificationDate]
      if let made = made as? Date, now.timeIntervalSince(made) > 86_400 {
        try? FileManager.default.removeItem(at: url)  // The next start tries again.
      }
    }
  }

  /// The projects by their ids; damaged ones are left out.
  package var projects: [Project] { ids.compactMap { try? project($0) } }

  /// What is wrong with the projects and runs that are left out, in a sentence each.
  package var problems: [String] {
    func problem(of part: String, _ body: () throws -> Void) -> String? {
      do {
        try body()
      } catch {
        // Other folders are no projects, and a run that was never begun has no record.
        guard (error as? StudioError)?.code != .notFound else { return nil }
        return "\(part) is left out: \(StudioError.text(of: error).sentence)"
      }
      return nil
    }
    return ids.flatMap { id in
      var runs: [RunFolder] = []
      let own = problem(of: "The project \(id)") { runs = try project(id).folder.runFolders }
      return [own].compactMap(\.self)
        + runs.compactMap { run in
          problem(of: "Run \(run.number) of \(id)") { _ = try run.record() }
        }
    }
  }

  private var ids: [String] {
    let elsewhere = state.withLock { $0.elsewhere.keys }
    return Set(Self.names(in: folder)).union(elsewhere).sorted()
  }

  /// A project; throws ``StudioError``: `notFound`, or `badFile` where it is damaged.
  package func project(_ id: String) throws -> Project {
    try state.withLock { state in
      let url = state.elsewhere[id] ?? folder.appending(path: id)
      guard Self.isName(id), Project.isProject(url) else {
        state.open[id] = nil
        throw StudioError(.noProject(id: StudioMessage.quoted(id)))
      }
      if let project = state.open[id], project.folder == ProjectFolder(url) { return project }
      let project = try Project(opening: url, id: id, device: device)
      // Where it cannot be taken, the project can be read.
      _ = try? project.takeLock()
      state.open[id] = project
      return project
    }
  }

  /// Opens a project by its path; throws ``StudioError``.
  package func open(_ url: URL) throws -> Project {
    let url = url.standardizedFileURL
    let name = url.lastPathComponent
    if url.deletingLastPathComponent().path == folder.path { return try project(name) }
    let id = state.withLock { state in
      if let known = state.elsewhere.first(where: { $0.value == url }) { return known.key }
      let id = unused(Self.isName(name) ? name : "project", state)
      state.elsewhere[id] = url
      return id
    }
    return try project(id)
  }

  // MARK: - Changes

  /// Makes a project; its id comes from its name.
  package func create(name: String) throws -> Project {
    try make(name) { _ = try Project.create(at: $0, name: name) }
  }

  /// Makes a copy without the runs: media, items, parameters and known poses.
  package func duplicate(_ id: String, name: String) throws -> Project {
    let source = try project(id)
    return try make(name) { target in
      try Project.storing(.project) {
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        for part in Self.names(in: source.folder.url, hidden: true)
        where !["runs", "uploads", "removed.json", ".git", ".lock"].contains(part) {
          try Self.copy(
            source.folder.url.appending(path: part), to: target.appending(path: part))
        }
      }
      _ = try Project(opening: target).update { description in
        description.name = name
        description.created = ProjectDescription(name: name).created
      }
    }
  }

  /// Moves a project aside; gives the id by which it can be restored.
  package func delete(_ id: String, now: Date = Date()) throws -> String {
    let project = try project(id)
    guard state.withLock({ $0.elsewhere[id] }) == nil else {
      throw StudioError(.projectElsewhere(id: id, folder: project.folder.url.path))
    }
    try project.checkOwned()
    var deleted = "\(id)~\(Int(now.timeIntervalSince1970))"
    while FileManager.default.fileExists(atPath: deletedFolder.appending(path: deleted).path) {
      deleted += "0"
    }
    let target = deletedFolder.appending(path: deleted)
    try Project.storing(.project) {
      try FileManager.default.createDirectory(
        at: deletedFolder, withIntermediateDirectories: true)
      try FileManager.default.moveItem(at: project.folder.url, to: target)
    }
    state.withLock { $0.open[id] = nil }
    project.giveLockBack()
    return deleted
  }

  /// The deleted projects, the latest first.
  package func deleted() -> [Deleted] {
    Self.names(in: deletedFolder).compactMap { name in
      let parts = name.split(separator: "~")
      let url = deletedFolder.appending(path: name)
      guard parts.count > 1, let seconds = parts.last.flatMap({ Double($0.prefix(10)) }),
        let project = try? Project(opening: url), let description = try? project.description
      else { return nil }
      return Deleted(
        id: name, name: description.name, deleted: Date(timeIntervalSince1970: seconds))
    }.sorted { ($0.deleted, $0.id) > ($1.deleted, $1.id) }
  }

  /// Brings a deleted project back.
  ///
  /// - Parameter id: What ``delete(_:now:)`` gave, or the project's id for the latest of that id.
  package func restore(_ id: String) throws -> Project {
    let deleted = deleted()
    guard
      let found = deleted.first(where: { $0.id == id })
        ?? deleted.first(where: { Self.original($0.id) == id })
    else { throw StudioError(.noDeletedProject(id: StudioMessage.quoted(id))) }
    let restored = try state.withLock { state in
      let restored = unused(Self.original(found.id), state)
      try Project.storing(.project) {
        try FileManager.default.moveItem(
          at: deletedFolder.appending(path: found.id), to: folder.appending(path: restored))
      }
      return restored
    }
    return try project(restored)
  }

  // MARK: - Folders

  private var deletedFolder: URL { folder.appending(path: ".deleted") }

  private static func original(_ deleted: String) -> String {
    deleted.split(separator: "~").dropLast().joined(separator: "~")
  }

  /// Makes a project beside the others and puts it in place when it is whole.
  private func make(_ name: String, _ work: (URL) throws -> Void) throws -> Project {
    try ProjectDescription(name: name).check()
    let temporary = folder.appending(path: ".new-\(UUID().uuidString)")
    // What cannot be removed goes at the start of a later day.
    defer { try? FileManager.default.removeItem(at: temporary) }
    try Project.storing(.project) { try PrivateFolder.make(temporary) }
    try work(temporary)
    let id = try state.withLock { state in
      let id = unused(Self.slug(name), state)
      try Project.storing(.project) {
        try FileManager.default.moveItem(at: temporary, to: folder.appending(path: id))
      }
      return id
    }
    return try project(id)
  }

  /// A name that no project has.
  private func unused(_ name: String, _ state: State) -> String {
    var number = 1
    var candidate = name
    while state.elsewhere[candidate] != nil
      || FileManager.default.fileExists(atPath: folder.appending(path: candidate).path)
    {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }

  /// Whether a text is the name of a project's folder: no path, not hidden.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix(".") && text.utf8.count <= 200
      && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 32 || $0 == 127 }
  }

  /// A name as lower-case letters, digits and hyphens.
  private static func slug(_ name: String) -> String {
    let letters = name.lowercased().map { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
    }
    let words = String(letters.prefix(60)).split(separator: "-")
    return words.isEmpty ? "project" : words.joined(separator: "-")
  }

  private static func names(in folder: URL, hidden: Bool = false) -> [String] {
    // There is no folder before the first project.
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { hidden || !$0.hasPrefix(".") }
  }

  /// Copies a file or folder; media, which are never changed, share their content where possible.
  private static func copy(_ source: URL, to target: URL) throws {
    var status = stat()
    guard lstat(source.path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      for name in names(in: source, hidden: true) {
        try copy(source.appending(path: name), to: target.appending(path: name))
      }
    case S_IFREG:
      let isMedia = ["sources", "poses"].contains(
        source.deletingLastPathComponent().lastPathComponent)
      if !isMedia || link(source.path, target.path) != 0 {
        try FileManager.default.copyItem(at: source, to: target)
      }
    default: break
    }
  }
}
