import Foundation
import KinemaTestSupport
import Testing

@Suite("Classifying and counting streams", .serialized)
struct StreamCommandTests {
  /// Ten seconds of a synthetic person, as a stream that can be piped.
  private static let folder: TemporaryFolder = {
    do {
      let folder = try TemporaryFolder()
      try Tool.run(
        "synth", "--output", folder.path("jacks.mp4"), "--actions", "jumping_jacks",
        "--repetitions", "8", "--fps", "15", "--size", "320x180")
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", folder.path("jacks.mp4")]
        + ["-c", "copy", folder.path("jacks.ts")]
      try process.run()
      process.waitForEnd()
      return folder
    } catch {
      preconditionFailure("There is no folder for temporary files: \(error)")
    }
  }()

  /// Runs a command on a pipe.
  private func piped(_ arguments: String...) throws -> String {
    let folder = try TemporaryFolder()
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments =
      ["-c", "cat \"$0\" | \"$@\" > \"$OUT\"", Self.folder.path("jacks.ts"), Tool.executable.path]
      + arguments
    shell.environment = ProcessInfo.processInfo.environment.merging(
      ["OUT": folder.path("out")]) { $1 }
    try shell.run()
    shell.waitForEnd()
    #expect(shell.terminationStatus == 0)
    return try String(contentsOf: folder.url("out"), encoding: .utf8)
  }

  private func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { try Tool.json(String($0)) }
  }

  @Test("a pipe has the windows of the file, a line each")
  func classify() throws {
    let file = try Tool.json(
      Tool.run("classify", Self.folder.path("jacks.mp4"), "--rate", "all", "--format", "json")
        .output)
    let windows = try #require(file["windows"] as? [[String: Any]])
    let lines = try lines(piped("classify", "-", "--format", "jsonl"))
    #expect(!windows.isEmpty)
    #expect(lines.map { $0["start"] as? Double } == windows.map { $0["start"] as? Double })
    // A pipe is read as it comes, and names what it sees after a window or two.
    let names = (lines.dropFirst(2), windows.dropFirst(2))
    #expect(names.0.map { $0["label"] as? String } == names.1.map { $0["label"] as? String })
    let rows = try piped("classify", "-", "--format", "csv").split(separator: "\n")
    #expect(rows.count == windows.count + 1)
  }

  @Test("the count of a pipe rises line by line; the last line is the report")
  func count() throws {
    let lines = try lines(piped("count", "-", "--format", "jsonl"))
    let last = try #require(lines.last)
    let count = try #require(last["count"] as? Int)
    #expect(last["schema"] as? Int == 1)
    #expect((last["repetitions"] as? [Any])?.count == count)
    let live = lines.dropLast().compactMap { $0["count"] as? Int }
    #expect(abs((live.last ?? 0) - count) <= 1 && count >= 7)
    #expect(live == live.sorted() && Set(live).count == live.count)
    #expect(try piped("count", "-").contains("\(count) repetitions"))
  }

  @Test("a live source ends after so many seconds, or at Ctrl-C, and keeps what there is")
  func liveSource() throws {
    let folder = try TemporaryFolder()
    let pattern = "pattern:testsrc2=size=160x120:rate=10"
    for command in ["classify", "count"] {
      let result = try Tool.run(
        command, pattern, "--seconds", "1", "--format", "json", "--annotate",
        folder.path("\(command).mp4"))
      #expect(result.status == 0, "\(result.errors)")
      #expect(try Tool.json(result.output)["schema"] as? Int == 1)
      let output = folder.url("\(command).txt")
      try Data().write(to: output)
      let process = try Tool.start(
        [command, pattern, "--annotate", folder.path("\(command)-ended.mp4")],
        output: try FileHandle(forWritingTo: output))
      #expect(eventually { folder.hasBegun("\(command)-ended.mp4") })
      process.interrupt()
      process.waitForEnd()
      #expect(process.terminationStatus == 0)
      #expect(try String(contentsOf: output, encoding: .utf8).contains("test pattern"))
      try FileManager.default.removeItem(atPath: folder.path("\(command)-ended.mp4"))
    }
  }

  @Test("options that go with streams only are refused for files")
  func refusals() throws {
    let file = Self.folder.path("jacks.mp4")
    for options in [["--seconds", "3"], ["--rotate", "90"], ["--mirror"], ["--stabilize"]] {
      #expect(try Tool.run(["classify", file] + options).status == 64)
    }
    #expect(try Tool.run("count", "pattern:testsrc2", file).status == 64)
  }
}
