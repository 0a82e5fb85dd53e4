import CWebSockets  // where the compiler finds timespec
import Foundation
import Glibc

/// A regular file that is open for reading.
final class OpenFile {
  /// In bytes, when it was opened.
  let size: Int
  /// When its content changed, in seconds since 1970.
  let modified: time_t
  /// An entity tag that changes with size and time.
  let tag: String
  private let descriptor: Int32

  /// Opens a file; `nil` where there is none, or where it is a folder, a pipe or a device.
  init?(_ url: URL) {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    modified = status.st_mtim.tv_sec
    let nanoseconds = Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec)
    tag = "\"\(String(size, radix: 36))-\(String(nanoseconds, radix: 36))\""
  }

  deinit {
    close(descriptor)
  }

  /// Reads a piece into memory; how many bytes, 0 where the file has become shorter.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
  }
}
