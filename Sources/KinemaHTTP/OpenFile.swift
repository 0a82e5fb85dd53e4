import CCrypto  // where the compiler finds timespec
import Foundation
import Glibc

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

  deinit { close(descriptor) }

  /// Reads the beginning of a range, or all of it; `nil` where the file has become shorter.
  func read(_ range: Range<Int>) -> Data? {
    var data = Data(count: range.count)
    let count = data.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound))
    }
    return count > 0 ? data.prefix(count) : nil
  }
}
