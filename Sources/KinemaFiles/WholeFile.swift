package import Foundation
import Glibc
import Synchronization

/// A file that is written beside its target and takes its place when it is complete.
///
/// Until then the target is untouched; a file that is never put in place is removed.
package final class WholeFile: Sendable {
  /// Why the system refused to write a file: a sentence that names the file and a remedy.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter number: The system's error number, such as `ENOSPC`.
    package init(_ target: URL, number: Int32) {
      let folder = target.absoluteURL.deletingLastPathComponent().path
      let remedy =
        switch number {
        case ENOSPC, EDQUOT, EFBIG: "make room or write elsewhere"
        case ENOENT, ENOTDIR: "create the folder \(folder) first"
        case EACCES, EPERM, EROFS: "check the permissions of \(folder) or write elsewhere"
        case EISDIR: "give the name of a file"
        default: "check \(folder) or write elsewhere"
        }
      description =
        "\(target.path) cannot be written (\(String(cString: strerror(number)))): \(remedy)."
    }
  }

  /// The temporary file beside the target.
  package let path: String
  private let target: URL
  private let isPending = Mutex(true)

  /// Creates an empty file beside a target, with permissions as for `chmod`.
  package init(for target: URL, permissions: mode_t = 0o666) throws(Failure) {
    self.target = target
    let folder = target.absoluteURL.deletingLastPathComponent().path
    let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
    path = "\(folder)/.\(target.lastPathComponent).\(suffix).part"
    if Self.type(of: target) == S_IFDIR { throw Failure(target, number: EISDIR) }
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw Failure(target, number: errno) }
    close(descriptor)
  }

  deinit { remove() }

  /// Removes the file, unless it has been put in place.
  package func remove() {
    isPending.withLock { isPending in
      if isPending { unlink(path) }
      isPending = false
    }
  }

  /// Puts the complete file in the place of its target.
  package func putInPlace() throws(Failure) {
    let number: Int32 = isPending.withLock { isPending in
      guard isPending else { return ECANCELED }
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return errno }
      defer { close(descriptor) }
      guard fsync(descriptor) == 0, rename(path, target.path) == 0 else { return errno }
      isPending = false
      return 0
    }
    if number != 0 {
      remove()
      throw Failure(target, number: number)
    }
  }

  /// Writes data to a file, whole or not at all.
  ///
  /// A target that is not a regular file (a pipe, `/dev/null`) is written directly.
  package static func write(
    _ data: some Collection<UInt8>, to target: URL, permissions: mode_t = 0o666
  ) throws(Failure) {
    let type = type(of: target)
    let temporary =
      type == nil || type == S_IFREG || type == S_IFDIR
      ? try WholeFile(for: target, permissions: permissions) : nil
    let number = put(Array(data), intoFileAt: temporary?.path ?? target.path)
    if number != 0 { throw Failure(target, number: number) }
    try temporary?.putInPlace()
  }

  /// The type of the file that a path leads to, `nil` where there is none.
  private static func type(of url: URL) -> mode_t? {
    var status = stat()
    return stat(url.path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Writes bytes to a file that exists; 0 or the system's error number.
  private static func put(_ bytes: [UInt8], intoFileAt path: String) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return errno }
      defer { close(descriptor) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(descriptor, part.baseAddress, part.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return errno }
        rest = rest.dropFirst(count)
      }
      return 0
    }
  }
}
