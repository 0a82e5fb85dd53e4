import Foundation
import Glibc
import Synchronization

/// A file written beside its target, which it replaces when complete, and removed otherwise.
final class TemporaryFile: Sendable {
  let target: URL
  let path: String
  private let isPending = Mutex(true)

  /// Creates an empty file beside `target`.
  init(for target: URL) throws(VideoError) {
    self.target = target
    let folder = target.absoluteURL.deletingLastPathComponent().path
    path =
      folder + "/." + target.lastPathComponent
      + "." + String(UInt64.random(in: .min ... .max), radix: 36) + ".part"
    var status = stat()
    if stat(target.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR {
      throw VideoError(
        .cannotWrite, "\(target.path) cannot be written, it is a folder: give the name of a file.")
    }
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.writingError(target, number: errno) }
    close(descriptor)
  }

  deinit {
    remove()
  }

  /// Removes the file unless it is in place.
  func remove() {
    isPending.withLock { isPending in
      if isPending { unlink(path) }
      isPending = false
    }
  }

  /// Writes the file's contents.
  func write(_ bytes: [UInt8]) throws(VideoError) {
    let number: Int32 = bytes.withUnsafeBytes { bytes in
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return errno }
      defer { close(descriptor) }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return errno }
        rest = rest.dropFirst(count)
      }
      return 0
    }
    if number != 0 { throw Self.writingError(target, number: number) }
  }

  /// Moves the complete file to its target.
  func putInPlace() throws(VideoError) {
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
      throw Self.writingError(target, number: number)
    }
  }

  /// The error for a failed write.
  static func writingError(
    _ target: URL, number: Int32, cause: (any Error)? = nil
  ) -> VideoError {
    let folder = target.absoluteURL.deletingLastPathComponent().path
    let remedy =
      switch number {
      case ENOSPC, EDQUOT, EFBIG: "make room or write elsewhere"
      case ENOENT, ENOTDIR: "create the folder \(folder) first"
      case EACCES, EPERM, EROFS: "check the permissions of \(folder) or write elsewhere"
      default: "check \(folder) or write elsewhere"
      }
    return VideoError(
      .cannotWrite,
      "\(target.path) cannot be written (\(String(cString: strerror(number)))): \(remedy).",
      cause: cause)
  }
}
