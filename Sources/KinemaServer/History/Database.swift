internal import CSQLite
import Foundation

/// A connection to an SQLite database; not copyable, so that one thread uses it at a time.
///
/// Statements are constant, prepared once and have bound values.
struct Database: ~Copyable, @unchecked Sendable {
  enum Value {
    case null
    case integer(Int)
    case real(Double)
    case text(String)

    init(_ text: String?) { self = text.map(Value.text) ?? .null }
    init(_ number: Int?) { self = number.map(Value.integer) ?? .null }
    init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
  }

  struct Row {
    fileprivate let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
    func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    func flag(_ column: Int32) -> Bool { integer(column) != 0 }
    func text(_ column: Int32) -> String {
      guard let bytes = sqlite3_column_text(statement, column) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, column))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
  }

  /// Called before each step in tests; an SQLite code fails the step.
  typealias Fault = @Sendable () -> Int32?

  /// How long to wait for a locked file, in milliseconds.
  private static let patience: Int32 = 5000
  /// `SQLITE_TRANSIENT`, so that SQLite copies bound values.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private let handle: OpaquePointer
  private let path: String
  private let fault: Fault?
  private var statements: [String: OpaquePointer]

  /// Opens an existing database, empty or not.
  init(_ path: String, fault: Fault? = nil) throws(DatabaseError) {
    handle = try Self.open(path)
    self.path = path
    self.fault = fault
    statements = [:]
  }

  private static func open(_ path: String) throws(DatabaseError) -> OpaquePointer {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw DatabaseError(code, path: path)
    }
    sqlite3_busy_timeout(handle, patience)
    return handle
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }
  /// Number of rows changed by the last statement.
  var changeCount: Int { Int(sqlite3_changes64(handle)) }

  mutating func run(_ sql: StaticString, _ values: Value...) throws(DatabaseError) {
    try query(sql, values) { _ in }
  }

  /// Runs a query and converts each row.
  mutating func rows<T>(
    _ sql: StaticString, _ values: Value..., make: (Row) -> T
  ) throws(DatabaseError) -> [T] {
    var rows: [T] = []
    try query(sql, values) { rows.append(make($0)) }
    return rows
  }

  /// Runs `body` in a transaction, rolled back if it throws.
  mutating func transaction<T>(_ body: (inout Database) throws -> T) throws -> T {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body(&self)
      try run("COMMIT")
      return result
    } catch {
      // Some failures have already rolled back.
      if sqlite3_get_autocommit(handle) == 0 {
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      }
      throw error
    }
  }

  private mutating func query(
    _ sql: StaticString, _ values: [Value], _ body: (Row) -> Void
  ) throws(DatabaseError) {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try check(bind(value, to: statement, at: Int32(index + 1)))
    }
    while true {
      if let code = fault?() { throw DatabaseError(code, path: path) }
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure(code) }
      body(Row(statement: statement))
    }
  }

  private mutating func prepared(_ sql: StaticString) throws(DatabaseError) -> OpaquePointer {
    let text = sql.description
    if let statement = statements[text] { return statement }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil))
    guard let statement else { throw DatabaseError(SQLITE_MISUSE, path: path) }
    statements[text] = statement
    return statement
  }

  private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, Int64(number))
    // SQLite would store NaN as NULL.
    case .real(let number):
      return sqlite3_bind_double(statement, index, number.isFinite ? number : 0)
    case .text(let text):
      let bytes = Array(text.utf8CString)
      return sqlite3_bind_text(
        statement, index, bytes, Int32(clamping: bytes.count - 1), Self.transient)
    }
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(code, path: path, detail: String(cString: sqlite3_errmsg(handle)))
  }
}
