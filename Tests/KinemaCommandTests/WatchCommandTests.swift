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
    for name in ["output", "errors"] { try Data().write(to: folder.url(name)) }
    let process = try Tool.start(
      ["watch", file.path, "--data", folder.path("data")],
      output: try FileHandle(forWritingTo: folder.url("output")),
      errors: try FileHandle(forWritingTo: folder.url("errors")))
    defer { if process.isRunning { process.terminate() } }
    func wait(for text: String, in name: String) async throws {
      for _ in 0..<2400 {
        if try String(contentsOf: folder.url(name), encoding: .utf8).contains(text) { return }
        try await Task.sleep(for: .milliseconds(50))
      }
      Issue.record("\(name) never had \(text)")
    }
    try await wait(for: #""source":"One""#, in: "output")
    try Data(#"{"sources": 3}"#.utf8).write(to: file, options: .atomic)
    try await wait(for: "“sources” takes a list. The settings before remain.", in: "errors")
    try write(["One", "Two"])
    try await wait(for: #""source":"Two""#, in: "output")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 || process.terminationStatus == 130)
  }

  @Test("what is wrong with a file is reported, with the status of bad data")
  func badFile() throws {
    let folder = try TemporaryFolder()
    try Data("{}".utf8).write(to: folder.url("watch.json"))
    let result = try Tool.run("watch", folder.path("watch.json"), "--check")
    #expect(result.status == 65)
    #expect(result.errors.hasPrefix("kinema: watch.json: “sources” takes a list of sources"))
  }
}
