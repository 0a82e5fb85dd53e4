import CSQLite
import Foundation
import KinemaCoach
import KinemaServer
import KinemaTestSupport
import Testing

@Suite("Sets in the history")
struct HistorySetsTests {
  /// A set of a challenge with its form, and one without either.
  static var sets: [TrainedSet] {
    var values = FormValues()
    values.joint = .knee
    (values.bottom, values.top, values.down, values.hold) = (86.5, 170, 1.2, 0.3)
    return [
      TrainedSet(
        label: "squats", text: "Squats", start: 1.5, end: 20, repetitions: 10, seconds: 18.5,
        weight: 12.5,
        target: TrainedSet.Target(repetitions: 10, seconds: nil, set: 1, sets: 3, isDone: true),
        form: FormSummary([(values, "Go lower."), (values, nil)])),
      TrainedSet(label: "lunges", text: "Lunges", start: 30, end: 42, repetitions: 6, seconds: 12),
    ]
  }

  @Test("sets are saved with their session, replaced, listed and deleted")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    var history: History? = try History(at: folder.url)
    let id = try #require(try history?.begin(model: nil, at: HistoryTests.start))
    for sets in [Array(Self.sets.prefix(1)), Self.sets] {
      try history?.save(
        id, duration: 60, model: nil, entries: HistoryTests.entries(9), timeline: [], sets: sets)
    }
    history = nil
    let again = try History(at: folder.url)
    #expect(try again.session(id)?.sets == Self.sets)
    #expect(try again.sessions(limit: 9).sessions.first?.sets == Self.sets)
    try again.delete(id)
    #expect(try again.session(id) == nil)
  }

  @Test("a history of the first version opens, with all that is in it, and takes sets")
  func migration() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "history.sqlite").path
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, Self.firstVersion, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let history = try History(at: folder.url)
    #expect(history.notice == nil)
    let old = try #require(try history.session(7))
    #expect(old.name == "Monday" && old.entries.map(\.repetitions) == [12])
    #expect(old.timeline?.count == 1 && old.sets.isEmpty)
    let id = try history.begin(model: nil, at: HistoryTests.start)
    #expect(id == 8)
    try history.save(id, duration: 60, model: nil, entries: [], timeline: [], sets: Self.sets)
    #expect(try history.session(id)?.sets == Self.sets)
  }

  @Test("the table has a row for each set with its form")
  func table() throws {
    let folder = try TemporaryFolder()
    let history = try History(at: folder.url)
    let id = try history.begin(model: nil, at: HistoryTests.start)
    try history.save(id, duration: 60, model: nil, entries: [], timeline: [], sets: Self.sets)
    let text = String(decoding: try history.export(id, as: .csv).data, as: UTF8.self)
    let rows = text.split(separator: "\r\n").map(String.init)
    #expect(
      rows == [
        "row,start,end,seconds,label,person,repetitions,weight,targetRepetitions,targetSeconds,"
          + "isDone,joint,bottom,top,range,down,hold,up,difference,cues",
        "set,1.5,20.0,18.5,squats,,10,12.5,10,,true,knee,86.5,170.0,83.5,1.2,0.3,,,Go lower. (1)",
        "set,30.0,42.0,12.0,lunges,,6,,,,,,,,,,,,,",
      ])
    let json = String(decoding: try history.export(id, as: .json).data, as: UTF8.self)
    #expect(json.contains(#""range" : 83.5"#) && json.contains(#""text" : "Go lower.""#))
  }

  /// The tables of version 1 with a session.
  private static let firstVersion = """
    CREATE TABLE sessions (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, started_at INTEGER NOT NULL,
      duration REAL NOT NULL DEFAULT 0, model TEXT, is_open INTEGER NOT NULL DEFAULT 1
    ) STRICT;
    CREATE INDEX sessions_newest ON sessions (started_at, id);
    CREATE TABLE entries (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      position INTEGER NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL,
      is_model_label INTEGER NOT NULL, seconds REAL NOT NULL, repetitions INTEGER NOT NULL,
      PRIMARY KEY (session, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE stretches (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      position INTEGER NOT NULL, start_time REAL NOT NULL, end_time REAL NOT NULL,
      label TEXT NOT NULL, text TEXT NOT NULL, is_model_label INTEGER NOT NULL, person INTEGER,
      repetitions INTEGER NOT NULL,
      PRIMARY KEY (session, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE recordings (
      session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
      file_name TEXT NOT NULL, PRIMARY KEY (session, file_name)
    ) STRICT;
    PRAGMA application_id = 0x4B494E45;
    PRAGMA user_version = 1;
    INSERT INTO sessions (id, name, started_at, duration, is_open)
      VALUES (7, 'Monday', 1795183511, 93.2, 0);
    INSERT INTO entries VALUES (7, 0, 'squats', 'Squats', 1, 31.5, 12);
    INSERT INTO stretches VALUES (7, 0, 3, 34.5, 'squats', 'Squats', 1, 1, 12);
    """
}
