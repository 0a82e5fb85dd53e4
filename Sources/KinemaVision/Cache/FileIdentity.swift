import Foundation

/// The size and date under which a regular file's hash is known.
struct FileIdentity: Codable, Hashable {
  let size: Int64
  let seconds: Int
  let nanoseconds: Int

  /// - Returns: `nil` if there is no regular file.
  init?(ofFileAt path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    size = Int64(status.st_size)
    (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
  }
}
