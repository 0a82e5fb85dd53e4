internal import CSQLite

struct DatabaseError: Error {
  /// SQLite's extended code.
  let code: Int32
  let path: String
  let detail: String

  init(_ code: Int32, path: String, detail: String? = nil) {
    self.code = code
    self.path = path
    self.detail = detail ?? String(cString: sqlite3_errstr(code))
  }

  private var primaryCode: Int32 { code & 0xff }

  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(primaryCode) }

  /// Whether a statement does not fit the tables.
  var isMissingTable: Bool { code == SQLITE_ERROR }

  var serverError: ServerError {
    let name =
      switch primaryCode {
      case SQLITE_FULL: "historyFull"
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: "historyReadOnly"
      case SQLITE_BUSY, SQLITE_LOCKED: "historyInUse"
      case SQLITE_CORRUPT, SQLITE_NOTADB: "historyDamaged"
      case SQLITE_IOERR: "historyUnreadable"
      default: "historyUnusable"
      }
    return ServerError(.storage, MessageText(name, ["file": path, "reason": detail]), cause: self)
  }
}

extension DatabaseError {
  static func damaged(_ path: String) -> DatabaseError { DatabaseError(SQLITE_CORRUPT, path: path) }
}
