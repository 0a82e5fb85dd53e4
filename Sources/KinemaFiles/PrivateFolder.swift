package import Foundation
import Glibc

/// A temporary folder that only its owner can read; it goes with the process, or at the next start.
///
/// Its lock file is held for as long as the process runs. Those of the Python package, in `/dev/shm`, are
/// of the same kind.
package final class PrivateFolder: Sendable {
  /// What the names begin with.
  private static let prefix = "kinema-"
  private static let lockName = ".kinema-temporary"
  private static let places = [
    FileManager.default.temporaryDirectory, URL(filePath: "/dev/shm"),
  ]

  package let url: URL
  private let lock: FileLock?

  package init() throws(WholeFile.Failure) {
    let place = Self.places[0]
    let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36)
    // It gets its name when it is locked: one without a lock is a dead process's.
    let unnamed = place.appending(path: ".\(name)")
    try Self.make(unnamed)
    lock = try FileLock(unnamed.appending(path: Self.lockName))
    url = place.appending(path: name)
    guard rename(unnamed.path, url.path) == 0 else { throw WholeFile.Failure(url, number: errno) }
  }

  deinit { remove() }

  /// Removes it with what is in it.
  package func remove() {
    // What cannot be removed goes at the next start.
    try? FileManager.default.removeItem(at: url)
  }

  /// Makes a folder that only its owner can read, with those above it; one that exists stays as it is.
  package static func make(_ url: URL) throws(WholeFile.Failure) {
    guard mkdir(url.path, 0o700) != 0, errno != EEXIST else { return }
    let (failure, above) = (errno, url.deletingLastPathComponent())
    guard failure == ENOENT, above.path != url.path else {
      throw WholeFile.Failure(url, number: failure)
    }
    try make(above)
    guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else {
      throw WholeFile.Failure(url, number: errno)
    }
  }

  /// Removes the folders of processes that have ended without removing them.
  package static func removeLeftovers() {
    for place in places {
      // A place without a folder has nothing left.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
      for name in names where name.hasPrefix(prefix) {
        let folder = place.appending(path: name)
        let lock = folder.appending(path: lockName)
        var status = stat()
        guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
          status.st_uid == getuid(), lstat(lock.path, &status) == 0,
          (try? FileLock(lock)) != nil
        else { continue }
        // What cannot be removed is tried again at the next start.
        try? FileManager.default.removeItem(at: folder)
      }
    }
  }
}
