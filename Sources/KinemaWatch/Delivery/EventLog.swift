package import Foundation
import KinemaFiles
import Synchronization

/// The events that rules keep on this computer, with their pictures, until they are too old or too many.
///
/// Each is a file of JSON in a folder, its picture one beside it, and a third one says that somebody has
/// acknowledged it.
package final class EventLog: Sendable {
  /// How long, and how much.
  package struct Limits: Hashable, Sendable {
    package var days = 7.0
    package var megabytes = 100

    package init() {}

    init(_ value: Any, at place: String) throws(WatchError) {
      let object = try CheckedObject(value, at: place, known: ["days", "megabytes"])
      days = try object.number("days", within: 0.01...3650) ?? days
      megabytes = try object.integer("megabytes", within: 1...1_000_000) ?? megabytes
    }
  }

  /// An event as it is kept.
  package struct Entry: Hashable, Sendable {
    package let id: String
    package let time: Date
    /// The event as a line of JSON.
    package let json: Data
    package let hasPicture: Bool
    package let isAcknowledged: Bool
  }

  private struct Item {
    let name: String
    let time: Date
    var size: Int
    var hasPicture: Bool
    var isAcknowledged: Bool

    var id: String { EventLog.id(of: name) }
  }

  /// The most events that a folder has, so that it is listed quickly.
  package static let maximumCount = 10_000

  private let folder: URL
  private let report: @Sendable (String) -> Void
  /// The events, oldest first, and their limits.
  private let state: Mutex<(items: [Item], limits: Limits)>

  /// Opens a folder, which is made where it is new, with the events that are there.
  ///
  /// - Throws: ``WatchError``.
  package init(
    _ folder: URL, limits: Limits = Limits(), report: @escaping @Sendable (String) -> Void
  ) throws(WatchError) {
    (self.folder, self.report) = (folder, report)
    let names: [String]
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw WatchError(.storage, "\(folder.path) cannot be used for the log of events: \(error).")
    }
    let all = Set(names)
    let items = names.compactMap { name -> Item? in
      guard name.hasSuffix(".json"), let time = Self.time(of: name) else { return nil }
      let stem = String(name.dropLast(5))
      let size = ["json", "jpg"].reduce(0) { sum, kind in
        let path = folder.appending(path: "\(stem).\(kind)").path
        // Only for the limit of all.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return sum + ((attributes?[.size] as? Int) ?? 0)
      }
      return Item(
        name: stem, time: time, size: size, hasPicture: all.contains("\(stem).jpg"),
        isAcknowledged: all.contains("\(stem).seen"))
    }
    state = Mutex((items.sorted { $0.name < $1.name }, limits))
    prune(at: Date())
  }

  /// Names begin with the time in milliseconds, of thirteen digits until the year 2286.
  private static func name(_ announcement: Announcement) -> String {
    let time = Int(saturating: announcement.date.timeIntervalSince1970 * 1000)
    return "\(time)-\(announcement.id.uuidString.lowercased())"
  }

  private static func time(of name: String) -> Date? {
    guard let time = Int(name.prefix { $0 != "-" }), time > 0 else { return nil }
    return Date(timeIntervalSince1970: Double(time) / 1000)
  }

  private static func id(of name: String) -> String {
    String(name.drop { $0 != "-" }.dropFirst())
  }

  package func change(to limits: Limits) {
    state.withLock { $0.limits = limits }
    prune(at: Date())
  }

  /// Keeps an event with its picture; what cannot be written is reported.
  package func add(_ announcement: Announcement) {
    var plain = announcement
    plain.picture = nil
    let name = Self.name(announcement)
    do {
      let json = try plain.json
      if let picture = announcement.picture {
        try WholeFile.write(picture, to: url(name, "jpg"), permissions: 0o600)
      }
      try WholeFile.write(json, to: url(name, "json"), permissions: 0o600)
      let item = Item(
        name: name, time: announcement.date,
        size: json.count + (announcement.picture?.count ?? 0),
        hasPicture: announcement.picture != nil, isAcknowledged: false)
      state.withLock { $0.items.append(item) }
    } catch {
      report("An event cannot be kept in \(folder.path): \(error)")
    }
    prune(at: announcement.date)
  }

  /// The newest events, newest first.
  package func entries(limit: Int) -> [Entry] {
    prune(at: Date())
    return state.withLock { $0.items.suffix(limit) }.reversed().compactMap { item in
      // Somebody may have removed the file.
      guard let json = try? Data(contentsOf: url(item.name, "json")) else { return nil }
      return Entry(
        id: item.id, time: item.time, json: json, hasPicture: item.hasPicture,
        isAcknowledged: item.isAcknowledged)
    }
  }

  /// The picture of an event; `nil` without one.
  package func picture(of id: String) -> Data? {
    guard let item = state.withLock({ $0.items.last { $0.id == id } }), item.hasPicture else {
      return nil
    }
    // Somebody may have removed the file.
    return try? Data(contentsOf: url(item.name, "jpg"))
  }

  /// Notes that somebody has acknowledged an event.
  ///
  /// - Returns: Whether there is one.
  package func acknowledge(_ id: String) -> Bool {
    let name = state.withLock { state -> String? in
      guard let index = state.items.lastIndex(where: { $0.id == id }) else { return nil }
      state.items[index].isAcknowledged = true
      return state.items[index].name
    }
    guard let name else { return false }
    do {
      try WholeFile.write(Data(), to: url(name, "seen"), permissions: 0o600)
    } catch {
      report("That an event was acknowledged cannot be kept in \(folder.path): \(error)")
    }
    return true
  }

  private func url(_ name: String, _ kind: String) -> URL {
    folder.appending(path: "\(name).\(kind)")
  }

  /// Removes what is too old, and the oldest while there is too much.
  private func prune(at now: Date) {
    let dropped = state.withLock { state -> [Item] in
      let oldest = now - state.limits.days * 86_400
      var size = state.items.reduce(0) { $0 + $1.size }
      let count = state.items.prefix { item in
        let goes =
          item.time < oldest || size > state.limits.megabytes << 20
        if goes { size -= item.size }
        return goes
      }.count
      let excess = max(count, state.items.count - Self.maximumCount)
      defer { state.items.removeFirst(excess) }
      return Array(state.items.prefix(excess))
    }
    for item in dropped {
      for kind in ["json", "jpg", "seen"] {
        // What is not there is gone already.
        try? FileManager.default.removeItem(at: url(item.name, kind))
      }
    }
  }
}
