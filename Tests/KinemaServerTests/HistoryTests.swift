import Foundation
import KinemaServer
import KinemaTestSupport
import Testing

@Suite("History")
struct HistoryTests {
  static let start = Date(timeIntervalSince1970: 1_795_183_511)

  static func entries(_ seconds: Double) -> [SummaryEntry] {
    [
      SummaryEntry(
        label: "squats", text: "Squats", isModelLabel: true, seconds: seconds, repetitions: 12),
      SummaryEntry(label: "No Person", text: "No Person", isModelLabel: false, seconds: 2.25),
    ]
  }

  static func timeline(_ count: Int) -> [Stretch] {
    (0..<count).map { (index: Int) -> Stretch in
      let (start, person) = (Double(index), index % 3 == 0 ? nil : index % 3)
      return Stretch(
        start: start, end: start + 0.5, label: "squats", text: "Squats", isModelLabel: true,
        person: person, repetitions: index)
    }
  }

  @Test("what was saved is found again, after the program has ended too")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    var history: History? = try History(at: folder.url)
    let id = try #require(try history?.begin(model: "Exercise", at: Self.start))
    try history?.save(
      id, duration: 93.2, model: "Mine", entries: Self.entries(31.5), timeline: Self.timeline(4))
    #expect(try history?.session(id)?.isOpen == true)
    try history?.end(id)
    let expected = SessionRecord(
      id: id, name: SessionTime.name(of: Self.start), startedAt: Self.start, duration: 93.2,
      model: "Mine", entries: Self.entries(31.5), timeline: Self.timeline(4))
    #expect(try history?.session(id) == expected)
    history = nil
    let again = try History(at: folder.url)
    #expect(try again.session(id) == expected)
    #expect(again.notice == nil)
    #expect(try again.session(id + 1) == nil)
  }

  @Test("sessions come newest first, in pages")
  func pages() throws {
    let folder = try TemporaryFolder()
    let history = try History(at: folder.url)
    for minute in [3, 1, 2, 2] {
      let id = try history.begin(model: nil, at: Self.start + Double(minute * 60))
      try history.save(
        id, duration: Double(minute), model: nil, entries: Self.entries(1), timeline: [])
    }
    let all = try history.sessions(limit: 50, offset: 0)
    #expect(all.total == 4)
    #expect(all.sessions.map(\.id) == [1, 4, 3, 2])
    #expect(all.sessions.allSatisfy { $0.timeline == nil && $0.entries == Self.entries(1) })
    let page = try history.sessions(limit: 2, offset: 1)
    #expect(page.total == 4)
    #expect(page.sessions.map(\.id) == [4, 3])
    #expect(try history.sessions(limit: 5, offset: 9).sessions.isEmpty)
  }

  @Test("a session is saved over and over, longer, shorter or different")
  func savesAgain() throws {
    let folder = try TemporaryFolder()
    let history = try History(at: folder.url)
    let id = try history.begin(model: nil, at: Self.start)
    var changed = Self.timeline(7)
    changed[2].end = 2.9
    for timeline in [Self.timeline(5), Self.timeline(9), changed, [], Self.timeline(3)] {
      try history.save(id, duration: 9, model: nil, entries: [], timeline: timeline)
      #expect(try history.session(id)?.timeline == timeline)
    }
  }

  @Test("a short session without a recognised action is not saved")
  func dropsEmpty() throws {
    let folder = try TemporaryFolder()
    let history = try History(at: folder.url)
    func keeps(_ duration: Double, _ entries: [SummaryEntry]) throws -> Bool {
      let id = try history.begin(model: nil, at: Self.start)
      try history.save(id, duration: duration, model: nil, entries: entries, timeline: [])
      try history.end(id)
      return try history.session(id) != nil
    }
    #expect(try !keeps(2.9, []))
    #expect(try !keeps(2.9, [Self.entries(1)[1]]))
    #expect(try keeps(2.9, Self.entries(1)))
    #expect(try keeps(3, []))
  }

  @Test("sessions that a crash left open are closed, with their results")
  func closesOpen() throws {
    let folder = try TemporaryFolder()
    var history: History? = try History(at: folder.url)
    let full = try #require(try history?.begin(model: nil, at: Self.start))
    try history?.save(
      full, duration: 40, model: nil, entries: Self.entries(9), timeline: Self.timeline(2))
    let empty = try #require(try history?.begin(model: nil, at: Self.start))
    history = nil
    let again = try History(at: folder.url)
    #expect(try again.session(full)?.isOpen == false)
    #expect(try again.session(full)?.entries == Self.entries(9))
    #expect(try again.session(empty) == nil)
  }

  @Test("numbers of deleted sessions are not given again; deleting takes the recording along")
  func deletes() throws {
    let folder = try TemporaryFolder()
    let history = try History(at: folder.url)
    let id = try history.begin(model: nil, at: Self.start)
    try Data("video".utf8).write(to: history.recordingFolder.appending(path: "a.mp4"))
    try history.setRecording("a.mp4", of: id)
    #expect(try history.session(id)?.hasRecording == true)
    #expect(try history.recordingURL(of: id) == history.recordingFolder.appending(path: "a.mp4"))
    try Data("video".utf8).write(to: history.recordingFolder.appending(path: "a-2.mp4"))
    try history.setRecording("a-2.mp4", of: id)
    #expect(try history.recordingURL(of: id)?.lastPathComponent == "a-2.mp4")
    try history.delete(id)
    try Data("video".utf8).write(to: history.recordingFolder.appending(path: "a-3.mp4"))
    #expect(throws: ServerError.self) { try history.setRecording("a-3.mp4", of: id) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: history.recordingFolder.path).isEmpty)
    #expect(try history.begin(model: nil, at: Self.start) == id + 1)
    for action in [
      { try history.delete(id) }, { try history.rename(id, to: "x") }, { try history.end(id) },
      { try history.setRecording("b.mp4", of: id) },
      { try history.save(id, duration: 1, model: nil, entries: [], timeline: []) },
      { _ = try history.export(id, as: .csv) },
    ] {
      #expect(throws: ServerError.self) { try action() }
    }
    for name in ["", "../a.mp4", ".hidden", "a/b"] {
      #expect(throws: ServerError.self) { try history.setRecording(name, of: id + 1) }
    }
  }

  @Test(
    "any text is stored unchanged", arguments: ["Mon'day\"; DROP TABLE sessions;--", "\0🏋️\n", "?"])
  func anyText(text: String) throws {
    let folder = try TemporaryFolder()
    let history = try History(at: folder.url)
    let id = try history.begin(model: text, at: Self.start)
    try history.rename(id, to: text)
    let entry = SummaryEntry(label: text, text: text, isModelLabel: true, seconds: 1)
    try history.save(id, duration: .nan, model: text, entries: [entry], timeline: [])
    let session = try history.session(id)
    #expect(session?.name == text)
    #expect(session?.model == text)
    #expect(session?.entries == [entry])
    #expect(session?.duration == 0)
  }

  @Test("only the owner has access to the folder, one program at a time")
  func privacy() throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appending(path: "deep/kinema")
    var history: History? = try History(at: place)
    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(place.path) == 0o700)
    #expect(try permissions(place.appending(path: "history.sqlite").path) == 0o600)
    #expect(try permissions(place.appending(path: "history.sqlite-wal").path) == 0o600)
    #expect { try History(at: place) } throws: { error in
      (error as? ServerError)?.code == .storage && "\(error)".contains("in use")
    }
    _ = try history?.begin(model: nil, at: Self.start)
    history = nil
    _ = try History(at: place)
  }

  @Test("names are of the local day, times in UTC")
  func times() throws {
    #expect(SessionTime.text(of: Self.start) == "2026-11-20T14:05:11Z")
    #expect(SessionTime.text(of: Date(timeIntervalSince1970: .nan)) == "1970-01-01T00:00:00Z")
    let name = SessionTime.name(of: Self.start)
    #expect(name.wholeMatch(of: /[0-9]{1,2} November, [0-9]{2}:[0-9]{2}/) != nil)
  }
}
