import Foundation

/// A person who trains.
package struct Profile: Codable, Hashable, Sendable {
  /// The id, which is never reused.
  package var id: Int
  package var name: String

  package init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
}

extension History {
  /// Which sessions are listed.
  package enum Selection: Hashable, Sendable {
    case everyone
    /// Those without a profile.
    case nobody
    case profile(Int)

    /// Whether all are, and whose.
    var values: (isEveryone: Database.Value, profile: Database.Value) {
      switch self {
      case .everyone: (.init(true), .null)
      case .nobody: (.init(false), .null)
      case .profile(let id): (.init(false), .integer(id))
      }
    }
  }

  package static let maximumProfileCount = 50
  /// The most characters of a profile's name.
  package static let maximumProfileNameLength = 40

  /// All profiles, by name.
  package func profiles() throws -> [Profile] {
    try withState { try Self.profiles(&$0.connection) }
  }

  package func profile(_ id: Int) throws -> Profile? { try profiles().first { $0.id == id } }

  /// Adds a profile; throws ``ServerError`` with `badRequest` where the name is taken or there are
  /// too many.
  package func addProfile(named name: String) throws -> Profile {
    try withState { state in
      try state.connection.transaction { connection in
        let others = try Self.profiles(&connection)
        guard others.count < Self.maximumProfileCount else {
          throw ServerError(
            .badRequest, MessageText("tooManyProfiles", ["limit": Self.maximumProfileCount]))
        }
        try Self.check(name, against: others)
        try connection.run("INSERT INTO profiles (name) VALUES (?)", .text(name))
        return Profile(id: connection.lastInsertedRow, name: name)
      }
    }
  }

  /// Renames a profile; throws ``ServerError``: `notFound`, or `badRequest` where the name is taken.
  package func renameProfile(_ id: Int, to name: String) throws -> Profile {
    try withState { state in
      try state.connection.transaction { connection in
        let others = try Self.profiles(&connection).filter { $0.id != id }
        try Self.check(name, against: others)
        try connection.run("UPDATE profiles SET name = ? WHERE id = ?", .text(name), .integer(id))
        guard connection.changeCount == 1 else { throw Self.noProfile(id) }
        return Profile(id: id, name: name)
      }
    }
  }

  /// Deletes a profile; its sessions remain without one; throws ``ServerError`` with `notFound`.
  package func deleteProfile(_ id: Int) throws {
    try withState { state in
      try state.connection.run("DELETE FROM profiles WHERE id = ?", .integer(id))
      guard state.connection.changeCount == 1 else { throw Self.noProfile(id) }
    }
  }

  /// Gives a session to a profile, or to none; throws ``ServerError`` with `notFound` where there is
  /// no such profile or session.
  package func assign(_ session: Int, to profile: Int?) throws {
    try withState { state in
      try state.connection.transaction { connection in
        if let profile, !(try Self.profiles(&connection).contains { $0.id == profile }) {
          throw Self.noProfile(profile)
        }
        try connection.run(
          "UPDATE sessions SET profile = ? WHERE id = ?", .init(profile), .integer(session))
        guard connection.changeCount == 1 else { throw Self.notFound(session) }
      }
    }
  }

  static func noProfile(_ id: Int) -> ServerError {
    ServerError(.notFound, MessageText("noProfile", ["id": id]))
  }

  private static func check(_ name: String, against others: [Profile]) throws {
    guard !others.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw ServerError(.badRequest, MessageText("profileExists", ["name": name]))
    }
  }

  private static func profiles(_ connection: inout Database) throws -> [Profile] {
    try connection.rows("SELECT id, name FROM profiles") {
      Profile(id: $0.integer(0), name: $0.text(1))
    }.sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
  }
}
