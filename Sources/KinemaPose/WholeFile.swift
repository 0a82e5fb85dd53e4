package import Foundation

/// Writes files whole or not at all: to a temporary file beside the target, which is synced and
/// then renamed.
package enum WholeFile {
  /// What the system said when a file could not be written.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    static func current() -> Failure {
      Failure(description: String(cString: strerror(errno)))
    }
  }

  /// Writes data to a file.
  ///
  /// What is not a regular file (a pipe, `/dev/null`) is written as it is.
  ///
  /// - Parameter permissions: Who may read and write the file, as for `chmod`.
  package static func write(
    _ data: Data, to url: URL, permissions: UInt32 = 0o644
  ) throws {
    let path = url.path
    let isReplaceable = isRegularOrMissing(path)
    let temporary = isReplaceable ? temporaryPath(for: url) : path
    let flags = O_WRONLY | O_CLOEXEC | (isReplaceable ? O_CREAT | O_EXCL : 0)
    let descriptor = open(temporary, flags, permissions)
    guard descriptor >= 0 else { throw Failure.current() }
    do {
      defer { close(descriptor) }
      try writeAll(data, to: descriptor)
      if isReplaceable, fsync(descriptor) != 0 { throw Failure.current() }
    } catch {
      if isReplaceable { unlink(temporary) }
      throw error
    }
    if isReplaceable, rename(temporary, path) != 0 {
      let failure = Failure.current()
      unlink(temporary)
      throw failure
    }
  }

  /// A name for a temporary file beside a target.
  package static func temporaryPath(for url: URL) -> String {
    let folder = url.deletingLastPathComponent()
    return folder.appending(path: ".\(url.lastPathComponent).\(getpid()).part").path
  }

  /// Whether a path leads to a regular file or to nothing.
  package static func isRegularOrMissing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  private static func writeAll(_ data: Data, to descriptor: Int32) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw Failure.current()
      }
      rest = rest.dropFirst(written)
    }
  }
}
