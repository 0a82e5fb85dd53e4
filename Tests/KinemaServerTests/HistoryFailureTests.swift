import Foundation
import Glibc
import KinemaServer
import KinemaTestSupport
import Synchronization
import Testing

@Suite("History that cannot be written, is damaged or killed")
struct HistoryFailureTests {
  /// Fails one of the steps that are yet to come.
  private final class Fault: Sendable {
    private let remaining = Mutex<Int?>(nil)

    func failStep(_ number: Int?) { remaining.withLock { $0 = number } }

    /// Whether the step came.
    var hasStruck: Bool { remaining.withLock { ($0 ?? 0) < 0 } }

    /// SQLite's code for a full disk, at that step.
    func step() -> Int32? {
      remaining.withLock { remaining in
        guard let number = remaining else { return nil }
        remaining = number - 1
        return number == 0 ? 13 : nil
      }
    }
  }

  private static func isStorage(_ error: any Error) -> Bool {
    (error as? ServerError)?.code == .storage
  }

  @Test("whichever step fails, a save happens as a whole or not at all")
  func everyStep() throws {
    let folder = try TemporaryFolder()
    let fault = Fault()
    let history = try History(at: folder.url, fault: { fault.step() })
    let id = try history.begin(model: "A", at: HistoryTests.start)
    func save(_ count: Int) throws {
      try history.save(
        id, duration: Double(count), model: "A", entries: HistoryTests.entries(Double(count)),
        timeline: HistoryTests.timeline(count))
    }
    try save(3)
    var step = 0
    while true {
      let before = try history.session(id)
      fault.failStep(step)
      do { try save(5) } catch { #expect(Self.isStorage(error)) }
      let struck = fault.hasStruck
      fault.failStep(nil)
      guard struck else { break }
      #expect(try history.session(id) == before)
      // What failed once works the next time.
      try save(4)
      #expect(try history.session(id)?.timeline == HistoryTests.timeline(4))
      try save(3)
      step += 1
    }
    #expect(step > 8)
    #expect(try history.session(id)?.duration == 5)
  }

  @Test("whichever step fails, opening, ending, renaming and deleting lose nothing")
  func everyOtherStep() throws {
    let folder = try TemporaryFolder()
    var ids: [Int] = []
    do {
      let history = try History(at: folder.url)
      for _ in 0..<3 {
        ids.append(try history.begin(model: nil, at: HistoryTests.start))
        try history.save(
          ids[ids.count - 1], duration: 9, model: nil, entries: HistoryTests.entries(3),
          timeline: HistoryTests.timeline(2))
      }
    }
    let fault = Fault()
    var step = 0
    while true {
      fault.failStep(step)
      var failed = false
      do {
        let history = try History(at: folder.url, fault: { fault.step() })
        try history.rename(ids[0], to: "Monday")
        try history.delete(ids[1])
      } catch {
        #expect(Self.isStorage(error))
        failed = true
      }
      if !failed { break }
      let history = try History(at: folder.url)
      #expect(history.notice == nil)
      #expect(try history.session(ids[0])?.timeline == HistoryTests.timeline(2))
      #expect(try history.session(ids[2])?.entries == HistoryTests.entries(3))
      #expect(
        try history.session(ids[1])?.entries ?? HistoryTests.entries(3) == HistoryTests.entries(3))
      step += 1
    }
    #expect(step > 10)
    let history = try History(at: folder.url)
    #expect(try history.session(ids[0])?.name == "Monday")
    #expect(try history.session(ids[1]) == nil)
  }

  #if compiler(>=6.2)
    @Test("a full disk is reported, and saved sessions are preserved")
    func fullDisk() async throws {
      let folder = try TemporaryFolder()
      await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
        let history = try History(at: URL(filePath: path))
        let id = try history.begin(model: nil, at: HistoryTests.start)
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        var saved = 0
        do {
          while saved < 1000 {
            try history.save(
              id, duration: Double(saved + 1), model: nil, entries: [],
              timeline: HistoryTests.timeline((saved + 1) * 100))
            saved += 1
          }
          exit(3)
        } catch {
          guard HistoryFailureTests.isStorage(error), saved > 0,
            let session = try history.session(id), session.duration == Double(saved),
            session.timeline?.count == saved * 100
          else { exit(4) }
        }
        exit(EXIT_SUCCESS)
      }
    }
  #endif

  #if compiler(>=6.2)
    @Test("killed at any moment, it keeps everything up to the last save", .timeLimit(.minutes(60)))
    func kills() async throws {
      let folder = try TemporaryFolder()
      var last = 0
      for round in 0..<24 {
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = folder.url.path as String, round = round as Int] in
          let history = try History(at: URL(filePath: path))
          let id = try history.begin(model: nil, at: HistoryTests.start)
          let acknowledged = open(path + "/acknowledged", O_WRONLY | O_CREAT, 0o600)
          let killer = Thread {
            usleep(UInt32(500 + round * 977))
            kill(getpid(), SIGKILL)
          }
          killer.start()
          var count = 0
          while true {
            count += 1
            try history.save(
              id, duration: Double(count), model: nil, entries: HistoryTests.entries(Double(count)),
              timeline: HistoryTests.timeline(count % 300))
            var numbers = [id, count]
            pwrite(acknowledged, &numbers, 16, 0)
          }
        }
        let history = try History(at: folder.url)
        #expect(history.notice == nil)
        var numbers = [0, 0]
        let file = open(folder.url.path + "/acknowledged", O_RDONLY)
        defer { close(file) }
        guard pread(file, &numbers, 16, 0) == 16, numbers[0] > last else { continue }
        last = numbers[0]
        let session = try #require(try history.session(last))
        #expect(!session.isOpen)
        let count = Int(session.duration)
        #expect(count == numbers[1] || count == numbers[1] + 1)
        #expect(session.entries == HistoryTests.entries(session.duration))
        #expect(session.timeline == HistoryTests.timeline(count % 300))
      }
      #expect(last > 0)
    }
  #endif

  @Test(
    "a damaged database is moved aside, and a new one created",
    arguments: [true, false])
  func damage(isWholeFile: Bool) throws {
    let folder = try TemporaryFolder()
    let database = folder.url.appending(path: "history.sqlite")
    do {
      let history = try History(at: folder.url)
      let id = try history.begin(model: nil, at: HistoryTests.start)
      try history.save(
        id, duration: 9, model: nil, entries: [], timeline: HistoryTests.timeline(2000))
    }
    var bytes = try Data(contentsOf: database)
    let damage = isWholeFile ? 0..<bytes.count : bytes.count / 4..<bytes.count / 2
    bytes.replaceSubrange(damage, with: Data(repeating: 0x5A, count: damage.count))
    try bytes.write(to: database)
    for number in 1...2 {
      let aside = folder.url.appending(path: "history.damaged-\(number).sqlite")
      do {
        let history = try History(at: folder.url)
        #expect(try #require(history.notice).contains(aside.path))
        #expect(try Data(contentsOf: aside) == bytes)
        #expect(try history.sessions(limit: 5).total == 0)
        _ = try history.begin(model: nil, at: HistoryTests.start)
      }
      try bytes.write(to: database)
    }
  }

  @Test("a database whose tables were dropped is moved aside as a damaged one")
  func droppedTables() throws {
    let folder = try TemporaryFolder()
    let database = folder.url.appending(path: "history.sqlite")
    _ = try History(at: folder.url).begin(model: nil, at: HistoryTests.start)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('DROP TABLE stretches')",
      database.path,
    ]
    try process.run()
    process.waitForEnd()
    let history = try History(at: folder.url)
    #expect(try #require(history.notice).contains("history.damaged-1.sqlite"))
    #expect(try history.sessions(limit: 5).total == 0)
  }

  @Test("a database that is deleted while in use is reported, and nothing is lost without a word")
  func deletedWhileInUse() throws {
    let folder = try TemporaryFolder()
    let history = try History(at: folder.url)
    let id = try history.begin(model: nil, at: HistoryTests.start)
    try FileManager.default.removeItem(at: folder.url.appending(path: "history.sqlite"))
    #expect {
      try history.save(id, duration: 9, model: nil, entries: [], timeline: [])
    } throws: {
      Self.isStorage($0) && "\($0)".contains("was deleted or replaced")
    }
  }

  @Test(
    "a newer Kinema's or another program's database is refused and left alone",
    arguments: [60, 68])
  func foreign(offset: Int) throws {
    let folder = try TemporaryFolder()
    let database = folder.url.appending(path: "history.sqlite")
    _ = try History(at: folder.url).begin(model: nil, at: HistoryTests.start)
    var bytes = try Data(contentsOf: database)
    // SQLite file format, §1.3: the user version at 60, the application's number at 68.
    bytes.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, 9])
    try bytes.write(to: database)
    #expect { try History(at: folder.url) } throws: { Self.isStorage($0) }
    #expect(try Data(contentsOf: database) == bytes)
  }

  @Test(
    "a folder that cannot be made or is a file is refused", arguments: ["file", "/proc/kinema"])
  func noFolder(path: String) throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url.appending(path: "file"))
    let place = path.hasPrefix("/") ? URL(filePath: path) : folder.url.appending(path: path)
    #expect { try History(at: place) } throws: { Self.isStorage($0) }
  }
}
