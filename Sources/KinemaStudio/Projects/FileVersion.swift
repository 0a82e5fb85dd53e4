package import Foundation
import Glibc

/// What changes when a file is written: its number, size and date.
package struct FileVersion: Codable, Hashable, Sendable {
  private var number: UInt64
  package var size: Int64
  private var seconds: Int
  private var nanoseconds: Int

  /// The version of a regular file, links followed; `nil` where there is none.
  package init?(_ url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    number = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
  }

  package var modified: Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
  }
}
