package import Foundation
import Glibc
package import KinemaErrors
import Synchronization

/// A file that is written beside its target and takes its place when it is complete.
///
/// Until then the target is untouched; a file that is never put in place is removed.
package final class WholeFile: Sendable {
  /// Why the system refused to write a file: a sentence that names the file and a remedy.
  package struct Failure: Error, Reported, CustomStringConvertible {
    private let reason: MessageText
    package var message: String { reason.sentence }
    package var text: MessageText? { reason }
    package var description: String { message }

    /// - Parameter number: The system's error number, such as `ENOSPC`.
    package init(_ target: URL, number: Int32) {
      let name =
        switch number {
        case ENOSPC, EDQUOT, EFBIG: "diskFull"
        case ENOENT, ENOTDIR: "folderGone"
        case EACCES, EPERM, EROFS: "readOnly"
        case EISDIR, ESPIPE: "notAFile"
        default: "unwritable"
        }
      let folder = target.absoluteURL.deletingLastPathComponent().path
      let cause = String(cString: strerror(number))
      reason = MessageText(name, ["file": target.path, "folder": folder, "reason": cause])
    }
  }

  /// The temporary file beside the target: `.NAME.part`, or with a number where another process
  /// writes the same target.
  package let path: String
  private let target: URL
  /// Locked for as long as the file is written, so that a file that a killed process has left is
  /// known as such, and replaced.
  private let descriptor: Int32
  private let isPending = Mutex(true)

  /// Creates an empty file beside a target, with permissions as for `chmod`.
  package init(for target: URL, permissions: mode_t = 0o666) throws(Failure) {
    self.target = target
    let folder = target.absoluteURL.deletingLastPathComponent().path
    if Self.type(of: target) == S_IFDIR { throw Failure(target, number: EISDIR) }
    // A device or a pipe would be replaced by a file.
    guard Self.isReplaced(target) else { throw Failure(target, number: ESPIPE) }
    let name = "\(folder)/.\(target.lastPathComponent)"
    let number = String(UInt64.random(in: .min ... .max), radix: 36)
    Self.removeLeftover("\(name).part")
    var failure: Int32 = 0
    for path in ["\(name).part", "\(name).\(number).part"] {
      let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, permissions)
      if descriptor >= 0, Self.isOwned(descriptor, at: path, needsLock: false) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      failure = errno
      if descriptor >= 0 { close(descriptor) }
      guard descriptor >= 0 || failure == EEXIST else { break }
    }
    throw Failure(target, number: failure)
  }

  deinit {
    remove()
    close(descriptor)
  }

  /// Throws where a file could not be written, such as in a folder that is missing, before there is
  /// anything to write.
  package static func checkWritable(_ target: URL) throws(Failure) {
    guard isReplaced(target) else { return }
    try WholeFile(for: target).remove()
  }

  /// Removes the file that a killed process has left: one that nobody has locked.
  private static func removeLeftover(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    if isOwned(descriptor, at: path, needsLock: true) { unlink(path) }
    close(descriptor)
  }

  /// Removes what killed processes have left in a folder; those below it are not searched.
  package static func removeLeftovers(in folder: URL) {
    // What is not found now goes the next time.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(".") && name.hasSuffix(".part") {
      removeLeftover(folder.appending(path: name).path)
    }
  }

  /// Locks a file; whether nobody else has, and the path still leads to it.
  ///
  /// - Parameter needsLock: Whether a file of a file system without locks counts as another's.
  private static func isOwned(_ descriptor: Int32, at path: String, needsLock: Bool) -> Bool {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || !needsLock && errno != EWOULDBLOCK else {
      return false
    }
    var (own, present) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &present) == 0
      && own.st_ino == present.st_ino && own.st_dev == present.st_dev
  }

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
    let temporary =
      isReplaced(target) ? try WholeFile(for: target, permissions: permissions) : nil
    try put(data, intoFileAt: temporary?.path ?? target.path, for: target)
    try temporary?.putInPlace()
  }

  /// Writes data to the file, which is not put in place yet.
  package func write(_ data: some Collection<UInt8>) throws(Failure) {
    try Self.put(data, intoFileAt: path, for: target)
  }

  private static func put(
    _ data: some Collection<UInt8>, intoFileAt path: String, for target: URL
  ) throws(Failure) {
    let number =
      data.withContiguousStorageIfAvailable { put(UnsafeRawBufferPointer($0), intoFileAt: path) }
      ?? Array(data).withUnsafeBytes { put($0, intoFileAt: path) }
    if number != 0 { throw Failure(target, number: number) }
  }

  /// Whether a target is written beside it first: all but pipes and devices.
  private static func isReplaced(_ target: URL) -> Bool {
    let type = type(of: target)
    return type == nil || type == S_IFREG || type == S_IFDIR
  }

  /// The type of the file that a path leads to, `nil` where there is none.
  private static func type(of url: URL) -> mode_t? {
    var status = stat()
    return stat(url.path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Writes bytes to a file that exists; 0 or the system's error number.
  private static func put(_ bytes: UnsafeRawBufferPointer, intoFileAt path: String) -> Int32 {
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
