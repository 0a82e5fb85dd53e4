package import Foundation
import Glibc
import KinemaFiles
import Synchronization

/// Messages that wait for their receiver: a file each in a folder, in order, so that they outlive the
/// process.
///
/// A message is written whole or not at all, and removed when it was acknowledged. The oldest ones make
/// room where there are too many.
package final class Outbox: Sendable {
  package struct Entry: Hashable, Sendable {
    /// The name of its file, which begins with its number.
    let name: String
    package let body: Data
  }

  /// How many messages wait at most, and how many bytes they have together.
  package struct Limits: Sendable {
    package var count = 10_000
    package var bytes = 256 << 20

    package init() {}
  }

  private struct State {
    /// The messages that wait, the oldest first, with their sizes.
    var waiting: [(name: String, size: Int)] = []
    var taken: [String: Int] = [:]
    var next = 1
    var byteCount = 0
  }

  private let folder: URL
  private let limits: Limits
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// Is sent something when a message comes.
  package let arrivals: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation

  /// Opens a folder, which is made where it is new, with the messages that wait there.
  package init(
    _ folder: URL, limits: Limits = Limits(), report: @escaping @Sendable (String) -> Void
  ) throws(WatchError) {
    self.folder = folder
    self.limits = limits
    self.report = report
    (arrivals, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let files: [URL]
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [.fileSizeKey])
    } catch {
      throw WatchError(.storage, "\(folder.path) cannot be used for events: \(error).")
    }
    state.withLock { state in
      for file in files {
        let name = file.lastPathComponent
        guard name.hasSuffix(".json"), let number = Int(name.prefix { $0 != "-" }) else { continue }
        let size = (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        state.waiting.append((name, size))
        state.byteCount += size
        state.next = max(state.next, number + 1)
      }
      state.waiting.sort { $0.name < $1.name }
    }
    bell.yield()
  }

  /// How many messages are not acknowledged.
  package var count: Int { state.withLock { $0.waiting.count + $0.taken.count } }

  /// Adds a message.
  ///
  /// - Throws: `WholeFile.Failure` where it cannot be written.
  package func add(_ body: Data, id: UUID) throws {
    let number = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    let digits = String(number)
    let name =
      String(repeating: "0", count: max(0, 12 - digits.count)) + digits
      + "-\(id.uuidString.lowercased()).json"
    try WholeFile.write(body, to: folder.appending(path: name), permissions: 0o600)
    let dropped = state.withLock { state -> [String] in
      state.waiting.append((name, body.count))
      state.byteCount += body.count
      var dropped: [String] = []
      while state.waiting.count > 1,
        state.waiting.count + state.taken.count > limits.count || state.byteCount > limits.bytes
      {
        let oldest = state.waiting.removeFirst()
        state.byteCount -= oldest.size
        dropped.append(oldest.name)
      }
      return dropped
    }
    for name in dropped {
      unlink(folder.appending(path: name).path)
      report("Too many events wait in \(folder.path): the oldest one is dropped.")
    }
    bell.yield()
  }

  /// Takes the oldest waiting message; it stays on disk until it is acknowledged.
  package func take() -> Entry? {
    while true {
      let next = state.withLock { state -> String? in
        guard !state.waiting.isEmpty else { return nil }
        let first = state.waiting.removeFirst()
        state.taken[first.name] = first.size
        return first.name
      }
      guard let next else { return nil }
      if let body = try? Data(contentsOf: folder.appending(path: next)) {
        return Entry(name: next, body: body)
      }
      report("\(folder.appending(path: next).path) cannot be read and is left out.")
      _ = state.withLock { $0.taken.removeValue(forKey: next) }
    }
  }

  /// Removes a message that its receiver has.
  package func acknowledge(_ entry: Entry) {
    state.withLock { state in
      guard let size = state.taken.removeValue(forKey: entry.name) else { return }
      state.byteCount -= size
    }
    unlink(folder.appending(path: entry.name).path)
  }

  /// Puts a message back that could not be sent.
  package func giveBack(_ entry: Entry) {
    state.withLock { state in
      guard let size = state.taken.removeValue(forKey: entry.name) else { return }
      let place = state.waiting.firstIndex { $0.name > entry.name } ?? state.waiting.endIndex
      state.waiting.insert((entry.name, size), at: place)
    }
    bell.yield()
  }
}
