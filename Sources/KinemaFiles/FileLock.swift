package import Foundation
import Glibc

/// Keeps other processes from what a file stands for; the system releases it with the process.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Locks a file, which is made where it is new; `nil` where another one holds it.
  package init?(_ url: URL) throws(WholeFile.Failure) {
    descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw WholeFile.Failure(url, number: errno) }
    // A file system without locks keeps nobody out.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
