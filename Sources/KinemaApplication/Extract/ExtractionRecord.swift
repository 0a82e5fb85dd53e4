import Foundation
import Glibc
import Kinema
import KinemaFiles

/// The attempts at one video and how they ended: a file with a line of JSON for each event.
///
/// ```
/// {"attempt":1}                                            written before the attempt
/// {"attempt":1,"status":"done","seconds":31.2}             its end; "error" says what is damaged
/// {"attempt":2,"status":"failed","kind":"permanent","error":"…"}
/// {"attempt":3,"status":"withdrawn"}                       interrupted from outside: does not count
/// ```
///
/// Lines are appended and synced; a line that a power cut has torn is ignored. The file is locked for
/// as long as the record is open, so that one process works on a video at a time; the system
/// releases the lock with the process. An attempt without an end has killed its process.
final class ExtractionRecord {
  enum Kind: String, Codable { case permanent, transient }
  enum Status: String, Codable { case done, failed, died, withdrawn }

  struct Event: Codable {
    var attempt: Int
    var status: Status?
    var kind: Kind?
    var seconds: Double?
    /// Why the attempt failed, or what of the video could not be read.
    var error: String?
  }

  /// How many attempts may kill the process before a video counts as the cause.
  static let deathLimit = 3

  private let url: URL
  private let descriptor: Int32
  private var events: [Event] = []

  /// Opens and locks a record; `nil` where another process works on the video.
  init?(_ url: URL) throws {
    self.url = url
    try OutputTarget.makeFolder(url.deletingLastPathComponent())
    descriptor = open(url.path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw WholeFile.Failure(url, number: errno) }
    // On a file system without locks, shards keep processes apart.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
    let data = try Data(contentsOf: url)
    events = data.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decodeForeign(Event.self, from: $0)
    }.filter { (1...Int(Int32.max)).contains($0.attempt) }
    if let last = data.last, last != UInt8(ascii: "\n") { try append(Data("\n".utf8)) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// How many attempts were begun, without those that were withdrawn.
  var attempts: Int { begun.subtracting(numbers { $0.status == .withdrawn }).count }

  /// How many attempts killed their process.
  var deaths: Int {
    begun.subtracting(numbers { ![nil, .died].contains($0.status) }).count
  }

  /// The end of the last attempt that ended.
  var last: Event? { events.last { $0.status != nil && $0.status != .withdrawn } }

  private var begun: Set<Int> { numbers { _ in true } }

  private func numbers(_ isIncluded: (Event) -> Bool) -> Set<Int> {
    Set(events.filter(isIncluded).map(\.attempt))
  }

  /// Records that an attempt begins; its number.
  func begin() throws -> Int {
    let attempt = (begun.max() ?? 0) + 1
    try add(Event(attempt: attempt))
    return attempt
  }

  func add(_ event: Event) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try append(encoder.encode(event) + Data("\n".utf8))
    events.append(event)
  }

  private func append(_ data: Data) throws {
    let failure = StandardStreams.write(data, to: descriptor)
    guard failure == 0 else { throw WholeFile.Failure(url, number: failure) }
    guard fsync(descriptor) == 0 else { throw WholeFile.Failure(url, number: errno) }
  }
}
