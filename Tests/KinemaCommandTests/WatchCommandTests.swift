import Foundation
import Kinema
import KinemaSynth
import KinemaTestSupport
import Testing

struct WatchCommandTests {
  private struct Line: Decodable {
    var event, source: String
    var person: Int?
    var picture: String?
  }

  /// A pose file of a fall that is found in a square picture, too.
  private func fall(in folder: TemporaryFolder) throws -> URL {
    let url = folder.url("fall.npz")
    try FallTrial(.fall, seed: 5).poses.write(to: url)
    return url
  }

  private func lines(_ text: String) throws -> [Line] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test("a file is watched to its end, and each event is a line of JSON")
  func file() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(
      "watch", try fall(in: folder).path, "--data", folder.path("data"))
    #expect(result.status == 0 && result.errors.isEmpty)
    let lines = try lines(result.output)
    #expect(lines.first?.event == "personEnters")
    #expect(lines.allSatisfy { $0.source == "fall.npz" && $0.picture == nil })
  }

  @Test("where standard output is lost, watching ends, though a source goes on")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.runOnFullDisk([
      "watch", try fall(in: folder).path, "pattern:testsrc2", "--data", folder.path("data"),
    ])
    #expect(result.status == 74 && result.errors.contains("Standard output cannot be written"))
  }

  @Test(
    "without the networks nothing is watched, and the status says so", arguments: [false, true])
  func missingParts(isFile: Bool) throws {
    let folder = try TemporaryFolder()
    try Data(#"{"sources": [{"name": "A", "address": "pattern:testsrc2"}]}"#.utf8)
      .write(to: folder.url("watch.json"))
    let result = try Tool.run(
      ["watch", isFile ? folder.path("watch.json") : "pattern:testsrc2"]
        + ["--data", folder.path("data")],
      environment: ["KINEMA_HOME": folder.path("")])
    #expect(result.status == 69 && result.output.isEmpty)
    #expect(result.errors.contains("kinema doctor"))
  }

  @Test("a change of the file takes effect, an invalid one does not, and Ctrl-C ends")
  func reloading() async throws {
    let folder = try TemporaryFolder()
    let poses = try fall(in: folder)
    let file = folder.url("watch.json")
    func write(_ names: [String]) throws {
      let sources = names.map { #"{"name": "\#($0)", "address": "\#(poses.path)"}"# }
      try Data(#"{"sources": [\#(sources.joined(separator: ","))]}"#.utf8)
        .write(to: file, options: .atomic)
    }
    try write(["One"])
    let process = try start(file, in: folder)
    defer { process.endAtOnce() }
    func wait(for text: String, in name: String) async throws {
      #expect(try await has(text, in: folder.url(name)), "\(text)")
    }
    try await wait(for: #""source":"One""#, in: "output")
    try Data(#"{"sources": 3}"#.utf8).write(to: file, options: .atomic)
    try await wait(for: "“sources” takes a list. The settings before remain.", in: "errors")
    try Data(#"{"sources": [{"name": "One", "address": "ftp://h/x"}]}"#.utf8)
      .write(to: file, options: .atomic)
    try await wait(
      for: "the address of “One” cannot be used. A stream's address starts with ftp, which is not "
        + "supported", in: "errors")
    try write(["One", "Two"])
    try await wait(for: #""source":"Two""#, in: "output")
    process.interrupt()
    process.waitForEnd()
    #expect(process.terminationStatus == 0 || process.terminationStatus == 130)
  }

  private func start(
    _ file: URL, in folder: TemporaryFolder, arguments: [String] = [],
    environment: [String: String] = [:]
  ) throws -> Process {
    for name in ["output", "errors"] { try Data().write(to: folder.url(name)) }
    return try Tool.start(
      ["watch", file.path, "--data", folder.path("data")] + arguments, environment: environment,
      output: try FileHandle(forWritingTo: folder.url("output")),
      errors: try FileHandle(forWritingTo: folder.url("errors")))
  }

  private func has(_ text: String, in file: URL) async throws -> Bool {
    try await waitUntil { try String(contentsOf: file, encoding: .utf8).contains(text) }
  }

  @Test("that a proxy connects acknowledges no event: the web server itself has to")
  func proxy() async throws {
    let folder = try TemporaryFolder()
    let proxy = Process()
    proxy.executableURL = URL(filePath: "/usr/bin/env")
    proxy.arguments = [
      "python3", "-c",
      """
      import socket, sys
      server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen()
      open(sys.argv[1], "w").write("%d." % server.getsockname()[1])
      while True:
          client, _ = server.accept()
          client.recv(65536)
          client.sendall(b"HTTP/1.1 200 Connection established\\r\\n\\r\\n")
          client.close()
      """, folder.path("port"),
    ]
    try Data().write(to: folder.url("port"))
    proxy.standardInput = FileHandle.nullDevice
    proxy.standardOutput = FileHandle.nullDevice
    proxy.standardError = FileHandle.nullDevice
    try proxy.run()
    defer { proxy.endAtOnce() }
    #expect(try await has(".", in: folder.url("port")))
    let port = try String(contentsOf: folder.url("port"), encoding: .utf8).dropLast()
    let file = folder.url("watch.json")
    try Data(
      """
      {"sources": [{"name": "A", "address": "\(try fall(in: folder).path)"}],
       "rules": [{"when": {"event": "fall"}, "then": ["webhook"]}],
       "webhook": {"url": "https://kinema.invalid/"}}
      """.utf8
    ).write(to: file)
    let process = try start(
      file, in: folder, environment: ["https_proxy": "http://127.0.0.1:\(port)", "no_proxy": ""])
    defer { process.endAtOnce() }
    #expect(try await has("The webhook has not acknowledged an event", in: folder.url("errors")))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("data/webhook")).count == 1)
    process.interrupt()
    process.waitForEnd()
  }

  @Test("an empty view sleeps, a source out of its schedule is not watched, and metrics say so")
  func metrics() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url("watch.json")
    // The schedule of no day but the one before yesterday.
    let day = Calendar.current.component(.weekday, from: Date()) - 1
    let other = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][(day + 4) % 7]
    try Data(
      """
      {"sources": [{"name": "Empty", "address": "pattern:color=size=320x240:rate=25"},
                   {"name": "Off", "address": "pattern:testsrc2", "schedule": [{"days": ["\(other)"]}]},
                   {"name": "Full", "address": "pattern:color=size=320x240:rate=5", "rate": "full"}]}
      """.utf8
    ).write(to: file)
    let process = try start(file, in: folder, arguments: ["--metrics", "0"])
    defer { process.endAtOnce() }
    #expect(try await has("/metrics", in: folder.url("errors")))
    let errors = try String(contentsOf: folder.url("errors"), encoding: .utf8)
    let address = try #require(
      errors.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://") })
    let url = try #require(URL(string: String(address)))
    func metrics() throws -> String { try #require(try fetch(url, "GET", "/metrics")).text }
    let asleep = #"kinema_source_state{source="Empty",state="asleep"} 1"#
    #expect(try await waitUntil { try metrics().contains(asleep) })
    let text = try metrics()
    #expect(text.contains(#"kinema_source_frames_total{source="Off"} 0"#), "\(text)")
    #expect(!text.contains(#"kinema_source_frames_total{source="Full"} 0"#), "\(text)")
    #expect(
      text.contains(#"kinema_source_processor_seconds_total{source="Empty",stage="reading"}"#))
    #expect(try #require(try fetch(url, "GET", "/")).status == 404)
    process.interrupt()
    process.waitForEnd()
  }

  @Test("what is wrong with a file is reported, with the status of bad data")
  func badFile() throws {
    let folder = try TemporaryFolder()
    try Data("{}".utf8).write(to: folder.url("watch.json"))
    let result = try Tool.run("watch", folder.path("watch.json"), "--check")
    #expect(result.status == 65)
    #expect(result.errors.hasPrefix("kinema: watch.json: “sources” takes a list of sources"))
    let source = #"{"name": "A", "address": "pattern:testsrc2", "model": "missing.mlmodel"}"#
    try Data(#"{"sources": [\#(source)]}"#.utf8).write(to: folder.url("watch.json"))
    let other = try Tool.run("watch", folder.path("watch.json"), "--check")
    #expect(
      other.status == 65 && other.errors.hasPrefix("kinema: The model of the source “A” cannot"))
  }

  @Test("a check prints what each rule sends where, and refuses an action that the model lacks")
  func check() throws {
    let folder = try TemporaryFolder()
    func check(_ action: String) throws -> Tool.Result {
      try Data(
        """
        {"sources": [{"name": "Yard", "address": "pattern:testsrc2"},
                     {"name": "Kitchen", "address": "/dev/video97", "rate": 2.5, "priority": "high",
                      "schedule": [{"from": "22:00", "to": "06:00", "days": ["sun", "mon"]}, {"days": ["sat"]}],
                      "zones": [{"name": "Stove", "polygon": [[0, 0], [0.5, 0], [0.5, 1]]}],
                      "rules": [{"when": {"zone": "Stove", "for": 3600}, "then": ["mqtt"]}]}],
         "rules": [{"when": {"event": "fall"}, "then": ["log", "nurse"], "picture": true, "clip": 10},
                   {"when": {"action": "\(action)", "count": 10}, "then": []}],
         "mqtt": {"host": "broker.local"},
         "webhooks": {"nurse": {"url": "https://example.org/secret-path"}}}
        """.utf8
      ).write(to: folder.url("watch.json"))
      return try Tool.run("watch", folder.path("watch.json"), "--check")
    }
    let result = try check("squats")
    #expect(result.status == 0 && !result.output.contains("secret"))
    for text in [
      "a person stays in “Stove” for 60 min", "mqtt (broker.local:1883)", "a person falls",
      "log (this computer), nurse (example.org)", "a picture, a clip of 10 s", "all sources",
      "10 repetitions of squats", "Note: there is no camera /dev/video97 now",
      "at most 2.5 a second, high priority", "mon, sun 22:00–06:00; sat", "as needed", "always",
      "Note: watch.json, rules[1] sends nothing anywhere",
    ] { #expect(result.output.contains(text), "\(text)") }
    let wrong = try check("squads")
    #expect(wrong.status == 65 && wrong.errors.contains("recognises no “squads”, only “"))
  }

  @Test("by default postures are named, and exercises only with a model")
  func defaults() throws {
    let folder = try TemporaryFolder()
    let poses = try fall(in: folder).path
    let plain = try Tool.run("watch", poses, "--data", folder.path("data"))
    #expect(plain.status == 0)
    #expect(try lines(plain.output).contains { $0.event == "postureBegins" })
    #expect(!plain.output.contains("action"))
  }
}
