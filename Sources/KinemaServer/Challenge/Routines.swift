package import Foundation
import KinemaFiles
import Synchronization

/// A named list of challenge items, to train with again.
package struct Routine: Codable, Hashable, Sendable {
  package var name: String
  package var items: [ChallengeItem]

  package init(name: String, items: [ChallengeItem]) {
    self.name = name
    self.items = items
  }
}

/// The saved routines, in `routines.json` of the data folder.
package final class Routines: Sendable {
  package static let maximumCount = 200

  private let file: URL
  /// Held while the file is read and written.
  private let access = Mutex(())

  package init(folder: URL) {
    file = folder.appending(path: "routines.json")
    WholeFile.removeLeftovers(in: folder)
  }

  /// All routines by name; throws ``ServerError`` with `storage` where the file cannot be read.
  package func all() throws -> [Routine] {
    try access.withLock { _ in try read() }
  }

  /// Saves a routine, in place of the one of that name.
  ///
  /// - Parameter replaces: Whether there may be one of that name.
  /// - Throws: ``ServerError``: `badRequest` for one that no challenge accepts, `conflict` where there is one
  ///   that may not be replaced, `storage` where the file cannot be read or written.
  package func save(_ routine: Routine, replaces: Bool = true) throws {
    _ = try Challenge(items: routine.items)
    try access.withLock { _ in
      let all = try read()
      let others = all.filter { $0.name != routine.name }
      guard replaces || others.count == all.count else {
        throw ServerError(
          .conflict, MessageText("routineExists", ["name": routine.name.prefix(80)]))
      }
      guard others.count < Self.maximumCount else {
        throw ServerError(.badRequest, MessageText("tooManyRoutines", ["limit": Self.maximumCount]))
      }
      try write(others + [routine])
    }
  }

  /// Deletes the routine of a name; throws ``ServerError``: `notFound`, `storage`.
  package func delete(_ name: String) throws {
    try access.withLock { _ in
      let routines = try read()
      guard routines.contains(where: { $0.name == name }) else {
        throw ServerError(.notFound, MessageText("noRoutine", ["name": name.prefix(80)]))
      }
      try write(routines.filter { $0.name != name })
    }
  }

  private func read() throws -> [Routine] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    do {
      return try JSONDecoder().decodeForeign([Routine].self, from: Data(contentsOf: file))
    } catch {
      throw ServerError(.storage, MessageText("badRoutines", ["file": file.path]), cause: error)
    }
  }

  private func write(_ routines: [Routine]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let sorted = routines.sorted {
      $0.name.localizedStandardCompare($1.name) == .orderedAscending
    }
    do {
      try WholeFile.write(try encoder.encode(sorted), to: file)
    } catch {
      throw ServerError(
        .storage, MessageText("routineNotSaved", ["reason": "\(error)"]), cause: error)
    }
  }
}
