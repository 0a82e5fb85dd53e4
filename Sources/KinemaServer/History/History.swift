package import Foundation
import Glibc
internal import Synchronization

/// The past sessions in an SQLite database.
///
/// Every call is one transaction, from any thread: it succeeds, or throws ``ServerError`` and
/// changes nothing. Saved data survives a crash. One program at a time uses a folder. A damaged
/// database is moved aside, never deleted: see ``notice``.
package final class History: Sendable {
  struct State: ~Copyable, Sendable {
    var connection: Database
    /// The timelines as last saved, so that only changes are written.
    var saved: [Int: [Stretch]] = [:]
  }

  /// Shorter sessions without a recognised action are not saved, in seconds.
  static let shortestSession = 3.0
  package static let maximumPageLength = 500

  /// A message for the user from opening the history, if any.
  package let notice: String?
  private let folder: HistoryFolder
  /// The file that is open: what is written to a deleted one is lost.
  private let identity: HistoryFolder.Identity?
  private let state: Mutex<State>

  /// The folder of recordings named by ``setRecording(_:of:)``.
  package var recordingFolder: URL { folder.recordings }

  /// Opens or creates `history.sqlite` in a folder, which is created for its owner only.
  ///
  /// Sessions left open by a crash are closed with their results.
  ///
  /// - Throws: ``ServerError`` with the code `storage` if the folder is not writable or in use, or
  ///   the database belongs to another program or a newer Kinema.
  package convenience init(at folder: URL) throws { try self.init(at: folder, fault: nil) }

  /// Opens the history with failing SQLite steps, for tests.
  package init(at url: URL, fault: (@Sendable () -> Int32?)?) throws {
    let folder = try HistoryFolder(url)
    self.folder = folder
    var notice: String?
    let state: Mutex<State>
    do {
      state = Mutex(State(connection: try Self.open(folder, fault: fault)))
    } catch let error as DatabaseError where error.isDamage {
      let target = try folder.moveDatabaseAside()
      notice =
        "The history was damaged: it is now at \(target.path), and a new one was created."
      do {
        state = Mutex(State(connection: try Self.open(folder, fault: fault)))
      } catch let error as DatabaseError {
        throw error.serverError
      }
    } catch let error as DatabaseError {
      throw error.serverError
    }
    self.state = state
    self.notice = notice
    identity = folder.databaseIdentity
    for id in try openSessions() { try end(id) }
  }

  private static func open(
    _ folder: HistoryFolder, fault: Database.Fault?
  ) throws -> Database {
    let path = folder.database.path
    var connection = try Database(path, fault: fault)
    guard try Schema.isSound(&connection) else {
      throw DatabaseError.damaged(path)
    }
    try Schema.prepare(&connection, path: path)
    guard Schema.isComplete(&connection) else { throw DatabaseError.damaged(path) }
    return connection
  }

  // MARK: - Current session

  /// Begins a session, without a profile where that was deleted meanwhile.
  package func begin(model: String?, profile: Int? = nil, at date: Date) throws -> Int {
    try withState { state in
      try state.connection.run(
        """
        INSERT INTO sessions (name, started_at, model, profile)
        VALUES (?, ?, ?, (SELECT id FROM profiles WHERE id = ?))
        """, .text(SessionTime.name(of: date)), .integer(SessionTime.wholeSeconds(of: date)),
        .init(model), .init(profile))
      return state.connection.lastInsertedRow
    }
  }

  /// Replaces the saved results of a session; throws ``ServerError``: `notFound` if the session was
  /// deleted, `storage` if it cannot be written; the last saved results remain.
  package func save(
    _ id: Int, duration: Double, model: String?, entries: [SummaryEntry], timeline: [Stretch],
    sets: [TrainedSet] = []
  ) throws {
    try withState { state in
      let saved = try state.saved[id] ?? Self.timeline(of: id, &state.connection)
      try state.connection.transaction { connection in
        try connection.run(
          "UPDATE sessions SET duration = ?, model = ? WHERE id = ?",
          .real(duration), .init(model), .integer(id))
        guard connection.changeCount == 1 else { throw Self.notFound(id) }
        try Self.write(entries, of: id, &connection)
        try Self.write(sets, of: id, &connection)
        try Self.write(timeline, over: saved, of: id, &connection)
      }
      state.saved[id] = timeline
    }
  }

  /// Ends a session; a short one without a recognised action is removed.
  package func end(_ id: Int) throws {
    try withState { state in
      state.saved[id] = nil
      try state.connection.transaction { connection in
        try connection.run("UPDATE sessions SET is_open = 0 WHERE id = ?", .integer(id))
        guard connection.changeCount == 1 else { throw Self.notFound(id) }
        try connection.run(
          """
          DELETE FROM sessions WHERE id = ? AND duration < ?
            AND NOT EXISTS (SELECT 1 FROM recordings WHERE session = sessions.id)
            AND NOT EXISTS (SELECT 1 FROM entries WHERE session = sessions.id AND is_model_label)
          """, .integer(id), .real(Self.shortestSession))
      }
    }
  }

  private func openSessions() throws -> [Int] {
    try withState { state in
      try state.connection.rows("SELECT id FROM sessions WHERE is_open") { $0.integer(0) }
    }
  }

  // MARK: - Past sessions

  /// Sessions, newest first, without timelines, and the total number of those that are selected.
  ///
  /// - Parameter limit: Number of sessions, at most ``maximumPageLength``.
  package func sessions(
    limit: Int, offset: Int = 0, of selection: Selection = .everyone
  ) throws -> (total: Int, sessions: [SessionRecord]) {
    let (isEveryone, profile) = selection.values
    return try withState { state in
      let total = try state.connection.rows(
        "SELECT count(*) FROM sessions WHERE ?1 OR profile IS ?2", isEveryone, profile
      ) { $0.integer(0) }
      var sessions = try state.connection.rows(
        """
        SELECT id, name, started_at, duration, model, is_open,
          EXISTS (SELECT 1 FROM recordings WHERE session = sessions.id), profile
        FROM sessions WHERE ?1 OR profile IS ?2
        ORDER BY started_at DESC, id DESC LIMIT ?3 OFFSET ?4
        """, isEveryone, profile, .integer(min(max(0, limit), Self.maximumPageLength)),
        .integer(max(0, offset)), make: Self.session)
      for index in sessions.indices {
        sessions[index].entries = try Self.entries(of: sessions[index].id, &state.connection)
        sessions[index].sets = try Self.sets(of: sessions[index].id, &state.connection)
      }
      return (total.first ?? 0, sessions)
    }
  }

  package func session(_ id: Int) throws -> SessionRecord? {
    try withState { state in
      let found = try state.connection.rows(
        """
        SELECT id, name, started_at, duration, model, is_open,
          EXISTS (SELECT 1 FROM recordings WHERE session = sessions.id), profile
        FROM sessions
        WHERE id = ?
        """, .integer(id), make: Self.session)
      guard var session = found.first else { return nil }
      session.entries = try Self.entries(of: id, &state.connection)
      session.sets = try Self.sets(of: id, &state.connection)
      session.timeline = try Self.timeline(of: id, &state.connection)
      return session
    }
  }

  // MARK: - Changes

  package func rename(_ id: Int, to name: String) throws {
    try withState { state in
      try state.connection.run(
        "UPDATE sessions SET name = ? WHERE id = ?", .text(name), .integer(id))
      guard state.connection.changeCount == 1 else { throw Self.notFound(id) }
    }
  }

  /// Deletes a session and its recordings; a current one can no longer be saved.
  package func delete(_ id: Int) throws {
    try withState { state in
      // Videos first: if one remains, so does its row.
      for recording in try Self.recordings(of: id, &state.connection) {
        try removeRecording(recording)
      }
      try state.connection.run("DELETE FROM sessions WHERE id = ?", .integer(id))
      guard state.connection.changeCount == 1 else { throw Self.notFound(id) }
      state.saved[id] = nil
    }
  }

  // MARK: - Recordings

  /// Adds a file in ``recordingFolder`` as a recording of a session; throws ``ServerError`` with
  /// the code `notFound` if the session was deleted; the file is deleted, too.
  package func setRecording(_ fileName: String, of id: Int) throws {
    guard !fileName.isEmpty, !fileName.hasPrefix("."), !fileName.contains("/"),
      !fileName.utf8.contains(0)
    else {
      throw ServerError(.storage, MessageText("badRecording", ["file": fileName]))
    }
    try withState { state in
      try state.connection.run(
        """
        INSERT OR IGNORE INTO recordings (session, file_name)
        SELECT id, ? FROM sessions WHERE id = ?
        """, .text(fileName), .integer(id))
      if try Self.recordings(of: id, &state.connection).contains(fileName) { return }
      try removeRecording(fileName)
      throw Self.notFound(id)
    }
  }

  /// The file of a session's last recording, if any.
  package func recordingURL(of id: Int) throws -> URL? {
    try withState { state in
      try Self.recordings(of: id, &state.connection).first.map {
        folder.recordings.appending(path: $0)
      }
    }
  }

  private func removeRecording(_ fileName: String) throws {
    let path = folder.recordings.appending(path: fileName).path
    guard unlink(path) == 0 || errno == ENOENT else {
      throw ServerError(
        .storage,
        MessageText("notDeleted", ["file": path, "reason": String(cString: strerror(errno))]))
    }
  }

  func withState<T>(_ body: (inout State) throws -> T) throws -> T {
    try state.withLock { state in
      guard folder.databaseIdentity == identity else {
        throw ServerError(.storage, MessageText("historyReplaced", ["file": folder.database.path]))
      }
      do { return try body(&state) } catch let error as DatabaseError { throw error.serverError }
    }
  }
}
