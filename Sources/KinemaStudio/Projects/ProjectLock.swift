import Foundation
import KinemaFiles
import Synchronization

/// Which process may change a project: the first one that opens it, until that ends.
///
/// All that this process has open of one folder share its lock.
enum ProjectLock {
  private struct Held {
    weak var lock: FileLock?
  }

  private static let held = Mutex<[String: Held]>([:])

  /// The lock of a folder; `nil` where another process has it.
  static func take(_ folder: ProjectFolder) throws(WholeFile.Failure) -> FileLock? {
    let path = Project.real(folder.url) ?? folder.url.path
    return try held.withLock { held throws(WholeFile.Failure) in
      if let lock = held[path]?.lock { return lock }
      let lock = try FileLock(folder.lock)
      held[path] = Held(lock: lock)
      return lock
    }
  }
}

extension Project {
  /// Whether another process may change the project, so that this one only shows it.
  ///
  /// A lock that cannot be taken for another reason is reported where something is changed.
  package var isReadOnly: Bool { (try? takeLock()) == false }

  /// Takes the right to change the project; whether no other process has it.
  @discardableResult
  func takeLock() throws -> Bool {
    try lock.withLock { lock in
      if lock == nil { lock = try ProjectLock.take(folder) }
      return lock != nil
    }
  }

  /// Throws ``StudioError`` where another process may change the project.
  func checkOwned() throws {
    guard try Self.storing(.change, { try takeLock() }) else {
      throw StudioError(.readOnlyProject(folder: folder.url.path))
    }
  }

  /// Lets another process change the project.
  func giveLockBack() { lock.withLock { $0 = nil } }
}
