import Foundation
import KinemaTestSupport
import KinemaWatch
import Testing

/// Areas that are written into a watch file.
struct WatchFileTests {
  private static let text = """
    {
      "rules": [ {"when": {"event": "fall"},   "then": []} ],
      "sources": [
        {"name": "Hall", "address": "pattern:testsrc2", "rotate": 90},
        {
          "name": "Bed \\u0026 room",
          "address": "pattern:testsrc2"
        },
        {
          "name": "Gym",
          "zones": [{"name": "Old", "polygon": [[0, 0], [1, 0], [1, 1]]}],
          "address": "pattern:testsrc2",
          "masks": []
        }
      ]
    }

    """

  private func areas(_ text: String) throws -> SourceAreas { try SourceAreas(Data(text.utf8)) }

  private func file(_ folder: TemporaryFolder, _ text: String = Self.text) throws -> WatchFile {
    try Data(text.replacingOccurrences(of: "Bed \\u0026 room", with: "Bed\\u0020room").utf8)
      .write(to: folder.url("watch.json"))
    return try WatchFile(folder.url("watch.json"))
  }

  private func content(_ folder: TemporaryFolder) throws -> String {
    try String(contentsOf: folder.url("watch.json"), encoding: .utf8)
  }

  @Test("areas are written into their source, and all else stays as somebody wrote it")
  func writing() throws {
    let folder = try TemporaryFolder()
    var file = try file(folder)
    let before = try content(folder)
    let drawn = try areas(
      #"{"zones": [{"name": "Bed", "polygon": [[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]], "bed": true}], "minimumHeight": 0.25}"#
    )
    try file.write(drawn, of: "Gym")
    let after = try content(folder)
    #expect(after.hasPrefix(before.prefix(while: { $0 != "G" })))
    #expect(!after.contains("Old") && !after.contains("masks"))
    #expect(
      after.contains("\n      \"address\": \"pattern:testsrc2\",\n      \"zones\": [{\"bed\":true"))
    let configuration = try #require(try file.changed())
    #expect(configuration.areas["Gym"] == drawn)
    #expect(configuration.areas["Hall"] == SourceAreas())

    let gone = try areas("{}")
    try file.write(gone, of: "Gym")
    try file.write(drawn, of: "Hall")
    try file.write(drawn, of: "Bed room")
    let last = try #require(try file.changed())
    #expect(last.areas["Gym"] == gone && last.areas["Hall"] == drawn)
    #expect(
      last.areas["Bed room"] == drawn && last.sources.map(\.name) == ["Hall", "Bed room", "Gym"])
    #expect(try content(folder).contains(#"{"when": {"event": "fall"},   "then": []}"#))
  }

  @Test("of changes beside each other none is lost")
  func besideEachOther() async throws {
    let folder = try TemporaryFolder()
    let names = (1...12).map { "Camera \($0)" }
    let sources = names.map { #"{"name": "\#($0)", "address": "pattern:testsrc2"}"# }
    let text = "{\"sources\": [\(sources.joined(separator: ", "))], \"rules\": []}"
    var file = try file(folder, text)
    let drawn = try areas(
      #"{"zones": [{"name": "Bed", "polygon": [[0.1, 0.2], [0.5, 0.2], [0.5, 0.9]]}]}"#)
    try await withThrowingTaskGroup(of: Void.self) { [file] group in
      for name in names { group.addTask { try file.write(drawn, of: name) } }
      try await group.waitForAll()
    }
    let configuration = try #require(try file.changed())
    #expect(names.allSatisfy { configuration.areas[$0] == drawn })
  }

  @Test("a camera is added behind the last source, with its login, and all else stays")
  func adding() throws {
    let folder = try TemporaryFolder()
    var file = try file(folder)
    let before = try content(folder)
    try file.add(
      "Hall camera", at: "rtsp://127.0.0.1:554/main?a=1&b=2",
      login: .init(user: "viewer", password: "se&c/r@t"))
    let after = try content(folder)
    let end = try #require(before.range(of: "\n  ]\n}", options: .backwards))
    #expect(after.hasPrefix(before[..<end.lowerBound]))
    #expect(after.hasSuffix(before[end.lowerBound...]))
    let configuration = try #require(try file.changed())
    #expect(configuration.sources.map(\.name) == ["Hall", "Bed room", "Gym", "Hall camera"])
    let address = try #require(configuration.sources.last?.address)
    #expect(address == "rtsp://viewer:se&c%2Fr%40t@127.0.0.1:554/main?a=1&b=2")
    #expect(after.contains(",\n    {\"name\": \"Hall camera\", \"address\": \"rtsp://viewer"))

    for (name, address, fault) in [
      ("Hall", "rtsp://camera/main", "there are two sources “Hall”"),
      ("Hall/2", "rtsp://camera/main", "up to 64 letters"),
      ("Other", "/etc/passwd", "no address of a stream over RTSP"),
      ("Other", "pattern:testsrc2", "no address of a stream over RTSP"),
      ("Other", "rtsp://user:secret@camera/main", "no address of a stream over RTSP"),
    ] {
      let error = expectError(WatchError.self) { try file.add(name, at: address) }
      #expect(error?.message.contains(fault) == true, "\(name) \(address)")
    }
    #expect(try content(folder) == after)
  }

  @Test(
    "a zone that a rule needs stays, with one sentence, and so does the file of an unknown source")
  func needed() throws {
    let folder = try TemporaryFolder()
    let file = try file(
      folder,
      Self.text.replacingOccurrences(of: #"{"event": "fall"}"#, with: #"{"zone": "Old"}"#))
    let before = try content(folder)
    let error = expectError(WatchError.self) { try file.write(areas("{}"), of: "Gym") }
    #expect(error?.message.contains("there is no zone “Old”") == true)
    #expect(throws: WatchError.self) { try file.write(areas("{}"), of: "Nowhere") }
    #expect(try content(folder) == before)
    #expect(throws: WatchError.self) { try areas(#"{"zones": 3}"#) }
    #expect(throws: WatchError.self) { try areas("[") }
  }
}
