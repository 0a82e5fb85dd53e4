/// The tables of the history and their migration.
enum Schema {
  /// `KINE`, the identifier of Kinema's databases.
  static let applicationID = 0x4B49_4E45
  /// The version that this Kinema writes, in the database's `user_version`.
  static let version = 3

  static func prepare(_ connection: inout Database, path: String) throws {
    // A kill loses no committed data; a power cut, at most the last seconds.
    _ = try connection.rows("PRAGMA journal_mode = WAL") { _ in }
    try connection.run("PRAGMA synchronous = NORMAL")
    try connection.run("PRAGMA foreign_keys = ON")
    try connection.transaction { connection in
      let found = try number(&connection, "PRAGMA user_version")
      let tables = try number(&connection, "SELECT count(*) FROM sqlite_schema")
      let application = try number(&connection, "PRAGMA application_id")
      guard application == applicationID || tables == 0 else {
        throw ServerError(.storage, MessageText("notHistory", ["file": path]))
      }
      guard found <= version else {
        throw ServerError(
          .storage, MessageText("newerHistory", ["file": path, "version": found]))
      }
      if found < 1 { try createTables(&connection) }
      if found < 2 { try createSets(&connection) }
      if found < 3 { try createProfiles(&connection) }
      // Migrations of later versions go here: if found < 4 { … }
      if found < version {
        try connection.run("PRAGMA application_id = 0x4B494E45")
        try connection.run("PRAGMA user_version = 3")
      }
    }
  }

  /// Whether all tables are there with their columns, as another program may have dropped some.
  static func isComplete(_ connection: inout Database) -> Bool {
    let queries: [StaticString] = [
      "SELECT id, name, started_at, duration, model, is_open, profile FROM sessions LIMIT 0",
      "SELECT session, position, label, text, is_model_label, seconds, repetitions FROM entries LIMIT 0",
      """
      SELECT session, position, start_time, end_time, label, text, is_model_label, person, repetitions
      FROM stretches LIMIT 0
      """,
      "SELECT session, file_name FROM recordings LIMIT 0",
      "SELECT id, name FROM profiles LIMIT 0",
      """
      SELECT session, position, label, text, start_time, end_time, repetitions, seconds, weight,
        target, form
      FROM sets LIMIT 0
      """,
    ]
    return queries.allSatisfy { query in
      do throws(DatabaseError) {
        try connection.run(query)
        return true
      } catch {
        return !error.isMissingTable
      }
    }
  }

  static func isSound(_ connection: inout Database) throws(DatabaseError) -> Bool {
    try connection.rows("PRAGMA quick_check(1)") { $0.text(0) } == ["ok"]
  }

  private static func number(
    _ connection: inout Database, _ sql: StaticString
  ) throws -> Int {
    try connection.rows(sql) { $0.integer(0) }.first ?? 0
  }

  /// Version 2: the sets of a session; target and form are JSON.
  private static func createSets(_ connection: inout Database) throws {
    try connection.run(
      """
      CREATE TABLE sets (
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        position INTEGER NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL,
        start_time REAL NOT NULL, end_time REAL NOT NULL, repetitions INTEGER NOT NULL,
        seconds REAL NOT NULL, weight REAL, target TEXT, form TEXT,
        PRIMARY KEY (session, position)
      ) STRICT, WITHOUT ROWID
      """)
  }

  /// Version 3: who trained in a session.
  private static func createProfiles(_ connection: inout Database) throws {
    try connection.run(
      "CREATE TABLE profiles (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT")
    try connection.run(
      "ALTER TABLE sessions ADD COLUMN profile INTEGER REFERENCES profiles ON DELETE SET NULL")
    try connection.run("CREATE INDEX sessions_of_profile ON sessions (profile)")
  }

  /// Version 1.
  private static func createTables(_ connection: inout Database) throws {
    try connection.run(
      """
      CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, started_at INTEGER NOT NULL,
        duration REAL NOT NULL DEFAULT 0, model TEXT, is_open INTEGER NOT NULL DEFAULT 1
      ) STRICT
      """)
    try connection.run("CREATE INDEX sessions_newest ON sessions (started_at, id)")
    try connection.run(
      """
      CREATE TABLE entries (
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        position INTEGER NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL,
        is_model_label INTEGER NOT NULL, seconds REAL NOT NULL, repetitions INTEGER NOT NULL,
        PRIMARY KEY (session, position)
      ) STRICT, WITHOUT ROWID
      """)
    try connection.run(
      """
      CREATE TABLE stretches (
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        position INTEGER NOT NULL, start_time REAL NOT NULL, end_time REAL NOT NULL,
        label TEXT NOT NULL, text TEXT NOT NULL, is_model_label INTEGER NOT NULL, person INTEGER,
        repetitions INTEGER NOT NULL,
        PRIMARY KEY (session, position)
      ) STRICT, WITHOUT ROWID
      """)
    try connection.run(
      """
      CREATE TABLE recordings (
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        file_name TEXT NOT NULL, PRIMARY KEY (session, file_name)
      ) STRICT
      """)
  }
}
