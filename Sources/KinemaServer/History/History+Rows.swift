import Foundation
import KinemaCoach
import KinemaFiles

extension History {
  static func notFound(_ id: Int) -> ServerError {
    ServerError(.notFound, MessageText("noSession", ["id": id]))
  }

  /// Reads `id, name, started_at, duration, model, is_open`, whether there is a recording, and
  /// `profile`.
  static func session(_ row: Database.Row) -> SessionRecord {
    SessionRecord(
      id: row.integer(0), name: row.text(1),
      startedAt: Date(timeIntervalSince1970: TimeInterval(row.integer(2))), duration: row.real(3),
      model: row.isNull(4) ? nil : row.text(4), isOpen: row.flag(5), hasRecording: row.flag(6),
      profile: row.isNull(7) ? nil : row.integer(7))
  }

  /// The files of a session's recordings, latest first.
  static func recordings(of id: Int, _ connection: inout Database) throws -> [String] {
    try connection.rows(
      "SELECT file_name FROM recordings WHERE session = ? ORDER BY rowid DESC", .integer(id)
    ) { $0.text(0) }
  }

  static func entries(of id: Int, _ connection: inout Database) throws -> [SummaryEntry] {
    try connection.rows(
      """
      SELECT label, text, is_model_label, seconds, repetitions FROM entries
      WHERE session = ? ORDER BY position
      """, .integer(id)
    ) {
      SummaryEntry(
        label: $0.text(0), text: $0.text(1), isModelLabel: $0.flag(2), seconds: $0.real(3),
        repetitions: $0.integer(4))
    }
  }

  static func timeline(of id: Int, _ connection: inout Database) throws -> [Stretch] {
    try connection.rows(
      """
      SELECT start_time, end_time, label, text, is_model_label, person, repetitions FROM stretches
      WHERE session = ? ORDER BY position
      """, .integer(id)
    ) {
      Stretch(
        start: $0.real(0), end: $0.real(1), label: $0.text(2), text: $0.text(3),
        isModelLabel: $0.flag(4), person: $0.isNull(5) ? nil : $0.integer(5),
        repetitions: $0.integer(6))
    }
  }

  static func sets(of id: Int, _ connection: inout Database) throws -> [TrainedSet] {
    func value<Value: Decodable>(_ row: Database.Row, _ column: Int32) -> Value? {
      row.isNull(column)
        ? nil : try? JSONDecoder().decodeForeign(Value.self, from: Data(row.text(column).utf8))
    }
    return try connection.rows(
      """
      SELECT label, text, start_time, end_time, repetitions, seconds, weight, target, form FROM sets
      WHERE session = ? ORDER BY position
      """, .integer(id)
    ) {
      TrainedSet(
        label: $0.text(0), text: $0.text(1), start: $0.real(2), end: $0.real(3),
        repetitions: $0.integer(4), seconds: $0.real(5),
        weight: $0.isNull(6) ? nil : $0.real(6), target: value($0, 7), form: value($0, 8))
    }
  }

  /// Rewrites all sets; there are few.
  static func write(
    _ sets: [TrainedSet], of id: Int, _ connection: inout Database
  ) throws {
    func text(_ value: (some Encodable)?) throws -> Database.Value {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try .init(value.map { String(decoding: try encoder.encode($0), as: UTF8.self) })
    }
    try connection.run("DELETE FROM sets WHERE session = ?", .integer(id))
    for (position, set) in sets.enumerated() {
      try connection.run(
        """
        INSERT INTO sets
          (session, position, label, text, start_time, end_time, repetitions, seconds, weight,
           target, form)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(id), .integer(position), .text(set.label), .text(set.text), .real(set.start),
        .real(set.end), .integer(set.repetitions), .real(set.seconds),
        set.weight.map { .real($0) } ?? .null, try text(set.target), try text(set.form))
    }
  }

  /// Rewrites all entries; there are few.
  static func write(
    _ entries: [SummaryEntry], of id: Int, _ connection: inout Database
  ) throws {
    try connection.run("DELETE FROM entries WHERE session = ?", .integer(id))
    for (position, entry) in entries.enumerated() {
      try connection.run(
        """
        INSERT INTO entries
          (session, position, label, text, is_model_label, seconds, repetitions)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(id), .integer(position), .text(entry.label), .text(entry.text),
        .init(entry.isModelLabel), .real(entry.seconds), .integer(entry.repetitions))
    }
  }

  /// Writes a timeline from the first changed stretch on.
  static func write(
    _ timeline: [Stretch], over saved: [Stretch], of id: Int, _ connection: inout Database
  ) throws {
    let unchanged = zip(timeline, saved).prefix { $0 == $1 }.count
    try connection.run(
      "DELETE FROM stretches WHERE session = ? AND position >= ?", .integer(id), .integer(unchanged)
    )
    for (position, stretch) in timeline.enumerated().dropFirst(unchanged) {
      try connection.run(
        """
        INSERT INTO stretches
          (session, position, start_time, end_time, label, text, is_model_label, person, repetitions)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(id), .integer(position), .real(stretch.start), .real(stretch.end),
        .text(stretch.label), .text(stretch.text), .init(stretch.isModelLabel),
        .init(stretch.person), .integer(stretch.repetitions))
    }
  }
}
