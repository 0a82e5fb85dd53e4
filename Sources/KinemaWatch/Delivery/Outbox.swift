package import Foundation
import Glibc
import KinemaFiles
import Synchronization

/// Messages that wait for their receiver: a file each in a folder, in order, so that they outlive the
/// process.
///
/// A message is written whole or not at all, and removed when it was acknowledged. The oldest ones make
/// room where there are too many. What a receiver has refused waits in a lane of its own, so that others
/// do not wait for it.
package final class Outbox: Sendable {
  package enum Lane: Int, CaseIterable, Sendable {
    case regular, refused
  }

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

  private struct Item {
    let name: String
    let size: Int
    /// Where it could not be written.
    var body: Data?
  }

  private struct State {
    /// The messages that wait in each lane, the oldest first.
    var waiting = Lane.allCases.map { _ in [Item]() }
    var taken: [String: Item] = [:]
    var next = 1
    var byteCount = 0

    var count: Int { waiting.reduce(taken.count) { $0 + $1.count } }

    /// Makes room; what was refused goes first.
    mutating func removeOldest() -> Item? {
      guard let lane = Lane.allCases.last(where: { !waiting[$0.rawValue].isEmpty }) else {
        return nil
      }
      let item = waiting[lane.rawValue].removeFirst()
      byteCount -= item.size
      return item
    }
  }

  /// As many as in twelve digits, so that names are in the order of the numbers.
  private static let numbers = 0..<1_000_000_000_000

  private let folder: URL
  private let limits: Limits
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let bells = Lane.allCases.map { _ in
    AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Opens a folder, which is made where it is new, with the messages that wait there.
  package init(
    _ folder: URL, limits: Limits = Limits(), report: @escaping @Sendable (String) -> Void
  ) throws(WatchError) {
    self.folder = folder
    self.limits = limits
    self.report = report
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
      var items: [Item] = []
      for file in files {
        let name = file.lastPathComponent
        guard name.hasSuffix(".json") else { continue }
        guard let number = Int(name.prefix { $0 != "-" }), Self.numbers.contains(number) else {
          report("\(file.path) is no event of Kinema and is left alone.")
          continue
        }
        // Only for the limit of all.
        let size = (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        items.append(Item(name: name, size: size))
        state.byteCount += size
        state.next = max(state.next, number + 1)
      }
      state.waiting[Lane.regular.rawValue] = items.sorted { $0.name < $1.name }
    }
    ring(.regular)
  }

  /// Is sent something when a message comes.
  package func arrivals(in lane: Lane = .regular) -> AsyncStream<Void> {
    bells[lane.rawValue].stream
  }

  private func ring(_ lane: Lane) { bells[lane.rawValue].continuation.yield() }

  /// How many messages are not acknowledged.
  package var count: Int { state.withLock { $0.count } }

  /// Adds a message; one that cannot be written is kept in memory, with a report.
  package func add(_ body: Data, id: UUID) {
    let number = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    let digits = String(number)
    let name =
      String(repeating: "0", count: max(0, 12 - digits.count)) + digits
      + "-\(id.uuidString.lowercased()).json"
    var item = Item(name: name, size: body.count)
    do {
      try WholeFile.write(body, to: folder.appending(path: name), permissions: 0o600)
    } catch {
      item.body = body
      report("An event is kept in memory only, until it is sent: \(error)")
    }
    let dropped = state.withLock { state -> [Item] in
      state.waiting[Lane.regular.rawValue].append(item)
      state.byteCount += item.size
      var dropped: [Item] = []
      while state.count - state.taken.count > 1,
        state.count > limits.count || state.byteCount > limits.bytes,
        let oldest = state.removeOldest()
      {
        dropped.append(oldest)
      }
      return dropped
    }
    for item in dropped {
      unlink(folder.appending(path: item.name).path)
      report("Too many events wait in \(folder.path): the oldest one is dropped.")
    }
    ring(.regular)
  }

  /// Takes the oldest waiting message of a lane; it stays on disk until it is acknowledged.
  package func take(from lane: Lane = .regular) -> Entry? {
    while true {
      let next = state.withLock { state -> Item? in
        guard !state.waiting[lane.rawValue].isEmpty else { return nil }
        let first = state.waiting[lane.rawValue].removeFirst()
        state.taken[first.name] = first
        return first
      }
      guard let next else { return nil }
      if let body = next.body ?? (try? Data(contentsOf: folder.appending(path: next.name))) {
        return Entry(name: next.name, body: body)
      }
      report("\(folder.appending(path: next.name).path) cannot be read and is left out.")
      _ = release(next.name)
    }
  }

  /// Removes a message that its receiver has.
  package func acknowledge(_ entry: Entry) {
    guard release(entry.name) != nil else { return }
    unlink(folder.appending(path: entry.name).path)
  }

  private func release(_ name: String) -> Item? {
    state.withLock { state in
      guard let item = state.taken.removeValue(forKey: name) else { return nil }
      state.byteCount -= item.size
      return item
    }
  }

  /// Puts a message back that could not be sent: in its place, or behind others that were refused.
  package func giveBack(_ entry: Entry, to lane: Lane = .regular) {
    state.withLock { state in
      guard let item = state.taken.removeValue(forKey: entry.name) else { return }
      let place =
        lane == .refused
        ? nil : state.waiting[lane.rawValue].firstIndex { $0.name > entry.name }
      state.waiting[lane.rawValue].insert(item, at: place ?? state.waiting[lane.rawValue].endIndex)
    }
    ring(lane)
  }
}
