import Foundation
import KinemaTestSupport
import Testing

@Suite("Streams that fail", .serialized)
struct FailingStreamTests {
  /// Five seconds of a synthetic person: with its index at the front, and at the end.
  private static let clips: TemporaryFolder = {
    do {
      let folder = try TemporaryFolder()
      try Tool.run(
        "synth", "--output", folder.path("front.mp4"), "--actions", "jumping_jacks",
        "--repetitions", "4", "--fps", "15", "--size", "320x180")
      // Without faststart, ffmpeg writes the index at the end.
      _ = try folder.make("end.mp4", "-i", folder.path("front.mp4"), "-an", "-c", "copy")
      return folder
    } catch {
      preconditionFailure("There are no clips: \(error)")
    }
  }()
  private static let clip = clips.path("front.mp4")

  /// A shell's line in which `$0` is the tool.
  private func shell(
    _ line: String, _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Tool.Result {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line, Tool.executable.path] + arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_CACHE_HOME": Tool.cache]) { $1 }.merging(environment) { $1 }
    for name in ["output", "errors"] { try Data().write(to: folder.url(name)) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: folder.url("output"))
    process.standardError = try FileHandle(forWritingTo: folder.url("errors"))
    try process.run()
    process.waitForEnd()
    return Tool.Result(
      status: process.terminationStatus,
      output: try String(contentsOf: folder.url("output"), encoding: .utf8),
      errors: try String(contentsOf: folder.url("errors"), encoding: .utf8))
  }

  @Test("what never opens ends with 69 and one sentence, and leaves no file")
  func neverOpens() throws {
    let server = try WebServer(of: Self.clips.url("front.mp4"))
    let folder = try TemporaryFolder()
    // Nobody listens on port 1.
    let sources = [
      "http://127.0.0.1:1/a.mp4", server.address("denied"), server.address("missing"),
      "/dev/video63", "http://nosuch.invalid/a.mp4", "rtsp://127.0.0.1:1/a", "tcp://127.0.0.1:1",
    ]
    for source in sources {
      let result = try Tool.run(
        "pose", source, "--output", folder.path("a.npz"), "--annotate", folder.path("a.mp4"))
      #expect(result.status == 69, "\(source): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(source): \(result.errors)")
      #expect(!result.errors.contains("again"), "\(result.errors)")
    }
    for command in ["classify", "count"] {
      let result = try Tool.run(
        command, sources[1], "--annotate", folder.path("a.mp4"), "--format", "json")
      #expect(result.status == 69 && result.output.isEmpty)
    }
    #expect(folder.names.isEmpty)
  }

  @Test("a source that sends nothing ends with 69 after --seconds")
  func silence() throws {
    let server = try WebServer(of: Self.clips.url("front.mp4"))
    let folder = try TemporaryFolder()
    for command in ["pose", "classify", "count"] {
      let result = try Tool.run(
        command, server.address("silent"), "--seconds", "2", "--annotate", folder.path("a.mp4"))
      #expect(result.status == 69, "\(result.errors)")
      #expect(result.errors.contains("no picture for 2 seconds"), "\(result.errors)")
    }
    // A pipe into which nobody writes.
    let input = Pipe()
    let process = try Tool.start(["pose", "-", "--seconds", "2"], input: input)
    process.waitForEnd()
    #expect(process.terminationStatus == 69 && folder.names.isEmpty)
    try input.fileHandleForWriting.close()
  }

  @Test("a file on a web server is read once, to its end, also after failed requests")
  func flakyServer() throws {
    let server = try WebServer(of: Self.clips.url("front.mp4"))
    func count(_ source: String, _ options: String...) throws -> Int {
      let result = try Tool.run(["count", source, "--format", "json"] + options)
      #expect(result.status == 0, "\(source): \(result.errors)")
      return try #require(try Tool.json(result.output)["count"] as? Int)
    }
    let expected = try count(Self.clip)
    #expect(try count(server.address("busy/0/a.mp4")) == expected)
    #expect(try count(server.address("busy/1/a.mp4")) == expected)
    #expect(try count(server.address("busy/9/a.mp4"), "--retry", "600") == expected)
    let refused = try Tool.run("count", server.address("busy/1000/a.mp4"))
    #expect(refused.status == 69, "\(refused.errors)")
  }

  @Test("a source that is unavailable is the error of a job")
  func worker() throws {
    let folder = try TemporaryFolder()
    let worker = try WorkerProcess()
    _ = try worker.next()
    for job in ["poses", "classify", "count", "watch"] {
      let answer = try worker.answer(
        to: job, ["input": "http://127.0.0.1:1/a", "options": ["retry": 0.5]])
      let error = try #require(answer["error"] as? [String: Any], "\(job)")
      #expect(error["code"] as? String == "unavailable")
      #expect(error["isPermanent"] as? Bool == false)
    }
    #expect(try worker.end() == 0 && folder.names.isEmpty)
  }

  @Test(
    "a pipe that ends without a video is bad data",
    arguments: ["true", "echo hello", "head -c 9 $1"])
  func emptyPipes(writer: String) throws {
    let folder = try TemporaryFolder()
    for command in ["pose", "classify", "count"] {
      let result = try shell(
        "\(writer) | \"$0\" \(command) - --annotate \"$2\"", Self.clip, folder.path("a.mp4"))
      #expect(result.status == 65, "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
    // A named pipe whose writer has gone, too.
    let result = try shell(
      "mkfifo \"$1/fifo\"; : > \"$1/fifo\" & \"$0\" pose - < \"$1/fifo\"", folder.url.path)
    #expect(result.status == 65, "\(result.errors)")
    #expect(folder.names == ["fifo"])
  }

  @Test("an MP4 file with its index at the end comes through a pipe, and leaves no copy")
  func indexAtEnd() throws {
    let folder = try TemporaryFolder()
    let temporary = try TemporaryFolder()
    let direct = try Tool.run("pose", Self.clip, "--format", "jsonl", "--no-cache")
    for name in ["front.mp4", "end.mp4"] {
      let piped = try shell(
        "cat \"$1\" | \"$0\" pose - --format jsonl", Self.clips.path(name),
        environment: ["TMPDIR": temporary.url.path])
      #expect(piped.status == 0, "\(name): \(piped.errors)")
      #expect(
        piped.output.split(separator: "\n").count == direct.output.split(separator: "\n").count)
    }
    // While it is copied, and when Ctrl-C ends that.
    let input = Pipe()
    let errors = folder.url("errors")
    try Data().write(to: errors)
    let process = try Tool.start(
      ["pose", "-", "--output", folder.path("a.npz")],
      environment: ["TMPDIR": temporary.url.path], input: input,
      errors: try FileHandle(forWritingTo: errors))
    let whole = try Data(contentsOf: Self.clips.url("end.mp4"))
    try input.fileHandleForWriting.write(contentsOf: whole.dropLast(100))
    let descriptors = "/proc/\(process.processIdentifier)/fd"
    let isCopied = try eventually {
      try FileManager.default.contentsOfDirectory(atPath: descriptors).contains {
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "\(descriptors)/\($0)")
        return target?.contains("kinema-pipe") == true
      }
    }
    #expect(isCopied && temporary.names.isEmpty)
    process.interrupt()
    process.waitForEnd()
    #expect(process.terminationStatus == 130)
    #expect(temporary.names.isEmpty && folder.names == ["errors"])
  }

  @Test("a copy of a pipe has a limit")
  func spoolLimit() throws {
    // The header of 1 TB of pictures (ISO/IEC 14496-12, section 4.2: a size of 1 has 64 bits behind).
    var header: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8)
    header += [0, 0, 0, 0, 0, 0, 0, 1] + Array("mdat".utf8)
    header += [0, 0, 1, 0, 0, 0, 0, 0]
    let folder = try TemporaryFolder()
    try Data(header).write(to: folder.url("head"))
    let result = try shell("cat \"$1\" | \"$0\" pose -", folder.path("head"))
    #expect(result.status == 65)
    #expect(result.errors.contains("8 GB"), "\(result.errors)")
  }
}
