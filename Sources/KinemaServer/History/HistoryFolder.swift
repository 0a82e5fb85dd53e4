import Foundation
import Glibc

/// The folder of a history, accessible to its owner, and locked by one program at a time.
final class HistoryFolder: Sendable {
  let url: URL
  /// The lock, held while open.
  private let lock: Int32

  var database: URL { url.appending(path: "history.sqlite") }
  var recordings: URL { url.appending(path: "recordings", directoryHint: .isDirectory) }

  /// Which file a path leads to.
  struct Identity: Hashable {
    let device: dev_t
    let number: ino_t
  }

  /// The database's file; `nil` where there is none.
  var databaseIdentity: Identity? {
    var status = stat()
    guard stat(database.path, &status) == 0 else { return nil }
    return Identity(device: status.st_dev, number: status.st_ino)
  }

  /// Creates the folder if necessary and locks it.
  init(_ url: URL) throws {
    self.url = url
    try Self.makeFolder(url)
    let path = url.appending(path: "history.lock").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("write into", url, number: errno) }
    guard Self.lock(descriptor) else {
      let number = errno
      close(descriptor)
      guard number == EWOULDBLOCK else { throw Self.failure("lock", url, number: number) }
      throw ServerError(
        .storage,
        MessageText("historyFolderInUse", ["folder": url.path]))
    }
    lock = descriptor
    do {
      try Self.makeFolder(recordings)
      // SQLite gives its other files the same permissions.
      let file = open(database.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw Self.failure("write into", url, number: errno) }
      close(file)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(lock) }

  /// Locks; waits briefly for a lock inherited by a program that is just starting.
  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<10 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(50_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Moves a damaged database aside, creates an empty one, and returns the new location.
  func moveDatabaseAside() throws -> URL {
    var number = 1
    var target = url.appending(path: "history.damaged-1.sqlite")
    while FileManager.default.fileExists(atPath: target.path) {
      number += 1
      target = url.appending(path: "history.damaged-\(number).sqlite")
    }
    // The log first: if the second step fails, the database is still in place.
    for suffix in ["-shm", "-wal", ""] {
      let from = database.path + suffix
      guard rename(from, target.path + suffix) == 0 || (errno == ENOENT && suffix != "") else {
        throw ServerError(
          .storage,
          MessageText(
            "historyStuck",
            ["file": database.path, "reason": String(cString: strerror(errno))]))
      }
    }
    let file = open(database.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure("write into", url, number: errno) }
    close(file)
    return target
  }

  private static func makeFolder(_ url: URL) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
      guard isFolder.boolValue else { throw failure("use", url, number: ENOTDIR) }
      return
    }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw ServerError(
        .storage,
        MessageText(
          "noHistoryFolder", ["folder": url.path, "reason": error.localizedDescription]),
        cause: error)
    }
    guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else {
      throw failure("make", url, number: errno)
    }
  }

  private static func failure(_ verb: String, _ url: URL, number: Int32) -> ServerError {
    ServerError(
      .storage,
      MessageText(
        "historyFolder",
        ["verb": verb, "folder": url.path, "reason": String(cString: strerror(number))]))
  }
}
