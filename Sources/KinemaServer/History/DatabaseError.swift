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
    let (text, problem, remedy) =
      switch primaryCode {
      case SQLITE_FULL:
        (
          MessageText("historyFull"), "has no room to grow",
          "free space on its disk; saved sessions are preserved"
        )
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM:
        (
          MessageText("historyReadOnly"), "cannot be written",
          "check the permissions of its folder or choose another"
        )
      case SQLITE_BUSY, SQLITE_LOCKED:
        (
          MessageText("historyInUse"), "is in use by another program",
          "end that program and try again"
        )
      case SQLITE_CORRUPT, SQLITE_NOTADB:
        (
          MessageText("historyDamaged"), "is damaged",
          "start again: it is moved aside and a new one is created"
        )
      case SQLITE_IOERR:
        (
          MessageText("historyUnreadable"), "cannot be read or written",
          "check its disk; saved sessions are preserved"
        )
      default: (MessageText("historyUnusable"), "cannot be used", "report this as a bug of Kinema")
      }
    return ServerError(
      .storage, "The history \(path) \(problem) (\(detail)): \(remedy).",
      text: text.adding(["file": path, "reason": detail]), cause: self)
  }
}

extension DatabaseError {
  static func damaged(_ path: String) -> DatabaseError { DatabaseError(SQLITE_CORRUPT, path: path) }
}
