import Foundation
import KinemaTestSupport
import KinemaWatch
import Synchronization
import Testing

/// The events that rules keep on this computer.
struct EventLogTests {
  private func announcement(_ number: Int, age: TimeInterval = 0, picture: Int? = nil)
    -> Announcement
  {
    var made = Announcement(
      WatchEvent(.fall, at: Double(number)), of: "Hall", date: Date() - age)
    made.picture = picture.map { Data(repeating: 7, count: $0) }
    return made
  }

  @Test("events are kept with their pictures, newest first, also over a restart, and acknowledged")
  func keeping() throws {
    let folder = try TemporaryFolder()
    let log = try EventLog(folder.url("log")) { Issue.record("\($0)") }
    let (first, second) = (announcement(1, age: 60, picture: 1000), announcement(2))
    log.add(first)
    log.add(second)
    let id = first.id.uuidString.lowercased()
    #expect(log.acknowledge(id) && !log.acknowledge("nothing"))
    for log in [log, try EventLog(folder.url("log")) { Issue.record("\($0)") }] {
      let entries = log.entries(limit: 10)
      #expect(entries.map(\.id) == [second, first].map { $0.id.uuidString.lowercased() })
      #expect(entries.map(\.hasPicture) == [false, true])
      #expect(entries.map(\.isAcknowledged) == [false, true])
      #expect(log.picture(of: id) == first.picture)
      #expect(!String(decoding: entries[1].json, as: UTF8.self).contains("picture"))
      #expect(log.entries(limit: 1).count == 1 && log.picture(of: "../../etc/passwd") == nil)
    }
  }

  @Test("what is too old goes, and the oldest while there is too much")
  func limits() throws {
    let folder = try TemporaryFolder()
    let log = try EventLog(folder.url("log")) { Issue.record("\($0)") }
    log.add(announcement(1, age: 8 * 86_400, picture: 1000))
    #expect(log.entries(limit: 10).isEmpty)
    var limits = EventLog.Limits()
    limits.megabytes = 1
    log.change(to: limits)
    for number in 0..<5 {
      log.add(announcement(number, age: 10 - Double(number), picture: 300_000))
    }
    #expect(log.entries(limit: 10).count == 3)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("log"))
    #expect(names.count == 6)
  }

  @Test("an event that cannot be written is reported, and other files are left alone")
  func failures() throws {
    let folder = try TemporaryFolder()
    let messages = Mutex<[String]>([])
    let log = try EventLog(folder.url("log")) { text in messages.withLock { $0.append(text) } }
    try FileManager.default.removeItem(at: folder.url("log"))
    log.add(announcement(1))
    #expect(messages.withLock { $0.first?.hasPrefix("An event cannot be kept in ") } == true)
    try FileManager.default.createDirectory(
      at: folder.url("other"), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: folder.url("other/notes.json"))
    let other = try EventLog(folder.url("other")) { _ in }
    #expect(other.entries(limit: 10).isEmpty)
    #expect(FileManager.default.fileExists(atPath: folder.path("other/notes.json")))
  }
}
