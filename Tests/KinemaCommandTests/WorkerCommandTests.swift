import Foundation
import KinemaTestSupport
import Testing

@Suite("kinema worker", .serialized, .enabled(if: SharedData.isPresent, SharedData.reason))
struct WorkerCommandTests {
  static let clip = SharedData.url("clips/cesta_jacks.mp4").path

  @Test("a clip's results are those of the commands, and the networks stay loaded")
  func results() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("a.npz")
    try Tool.run("pose", Self.clip, "--no-cache", "--output", file)
    let worker = try WorkerProcess()
    #expect(try worker.next()["protocol"] as? Int == 1)
    let poses = try worker.result(
      of: "poses", ["input": Self.clip, "folder": folder.url.path, "options": ["no-cache": true]])
    let path = try #require(poses["file"] as? String)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(contentsOf: URL(filePath: file)))
    #expect((poses["joints"] as? [String])?.count == 18)
    for command in ["classify", "count"] {
      let printed = try Tool.run(command, file, "--everybody", "--format", "json").output
      let result = try worker.result(
        of: command, ["input": file, "options": ["everybody": true]])
      let alone = try Tool.json(printed)
      #expect(result as NSDictionary == alone as NSDictionary)
    }
    let info = try worker.result(of: "info", ["model": "Exercise"])
    let printed = try Tool.json(Tool.run("model", "info", "Exercise", "--format", "json").output)
    #expect(info as NSDictionary == printed as NSDictionary)
    #expect(try worker.end() == 0)
  }

  @Test("bad lines, jobs and options are answered, and the worker continues")
  func badLines() throws {
    let worker = try WorkerProcess()
    _ = try worker.next()
    for line in ["nonsense", "[1]", "{}", #"{"id":[1],"job":"count"}"#, #"{"id":1,"jbo":"count"}"#]
    {
      try worker.send(line: line)
      let error = try #require(try worker.next()["error"] as? [String: Any], "\(line)")
      #expect(error["code"] as? String == "usage", "\(line)")
      #expect(error["isPermanent"] as? Bool == true)
    }
    try worker.send(line: String(repeating: "x", count: 2 << 20))
    #expect(try worker.next()["error"] != nil)
    for (job, members, code) in [
      ("cuont", [:], "usage"), ("count", [:], "usage"),
      ("count", ["input": "/nowhere.mp4"], "noInput"),
      ("count", ["input": "-"], "usage"),
      ("count", ["input": Self.clip, "options": ["colour": 1]], "usage"),
      ("count", ["input": Self.clip, "options": ["format": "csv"]], "usage"),
      ("poses", ["input": Self.clip, "model": "Exercise"], "usage"),
      ("assess", ["input": Self.clip, "options": ["list": true]], "usage"),
      ("assess", ["input": Self.clip, "options": ["show-tests": true]], "usage"),
      ("coach", ["input": Self.clip, "options": ["show-rules": true]], "usage"),
      ("synth", ["options": ["list": true]], "usage"),
      ("classify", ["input": SharedData.url("README.md").path], "badData"),
    ] as [(String, [String: Any], String)] {
      let answer = try worker.answer(to: job, members)
      let error = try #require(answer["error"] as? [String: Any], "\(job) \(members)")
      #expect(error["code"] as? String == code, "\(error)")
      #expect((error["message"] as? String)?.isEmpty == false)
    }
    #expect(try worker.result(of: "info", ["model": "Exercise"])["windowSize"] != nil)
    #expect(try worker.end() == 0)
  }

  @Test("a cancelled job leaves nothing behind, and the next one runs")
  func cancel() throws {
    let folder = try TemporaryFolder()
    let worker = try WorkerProcess()
    _ = try worker.next()
    try worker.send([
      "id": "a", "job": "poses", "input": SharedData.url("clips/felix_exercise.mp4").path,
      "folder": folder.url.path,
      "options": ["no-cache": true],
    ])
    try worker.send(["id": "b", "job": "count", "input": Self.clip])
    try worker.send(["id": "b", "job": "count", "input": Self.clip])
    #expect(try worker.last(of: "b")["error"] != nil)
    try worker.send(["cancel": "b"])
    try worker.send(["cancel": "a"])
    var codes: [String: String] = [:]
    while codes.count < 2 {
      let answer = try worker.next()
      guard let error = answer["error"] as? [String: Any] else { continue }
      codes[answer["id"] as? String ?? ""] = error["code"] as? String
    }
    #expect(codes == ["a": "interrupted", "b": "interrupted"])
    #expect(folder.names.isEmpty)
    #expect(try worker.result(of: "info", ["model": "Exercise"])["labels"] != nil)
    #expect(try worker.end() == 0)
  }

  @Test("at the end of the input the jobs are done; a reader who goes ends the worker")
  func ends() throws {
    let worker = try WorkerProcess()
    _ = try worker.next()
    try worker.send(["id": 1, "job": "info", "model": "Exercise"])
    try worker.send(["id": 2, "job": "info", "model": "Workout"])
    worker.closeInput()
    #expect(try worker.last(of: 1)["result"] != nil)
    #expect(try worker.last(of: 2)["result"] != nil)
    #expect(try worker.end() == 0)

    let other = try WorkerProcess()
    _ = try other.next()
    try other.send([
      "id": 1, "job": "watch", "input": "pattern:testsrc2=size=160x120:rate=10",
    ])
    _ = try other.next()
    other.closeOutput()
    #expect(other.status() == 0)
  }

  @Test(
    "where its answers cannot be written, a worker ends with 74 and a sentence, also while requests may come",
    arguments: [false, true])
  func fullDisk(isOpen: Bool) throws {
    let folder = try TemporaryFolder()
    let requests = Pipe()
    let file = try Self.requests(in: folder)
    let input: Any = isOpen ? requests : file
    let result = try Tool.runOnFullDisk(["worker"], input: input)
    #expect(result.status == 74)
    #expect(result.errors.contains("Standard output cannot be written (No space left on device)"))
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    try requests.fileHandleForWriting.close()
  }

  @Test("a reader who has gone before the answers is no error")
  func closedPipe() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url("errors"))
    let answers = Pipe()
    try answers.fileHandleForReading.close()
    let process = try Tool.start(
      ["worker"], input: try Self.requests(in: folder), output: answers,
      errors: try FileHandle(forWritingTo: folder.url("errors")))
    process.waitForEnd()
    #expect(process.terminationStatus == 0)
    #expect(try String(contentsOf: folder.url("errors"), encoding: .utf8).isEmpty)
  }

  /// Two jobs, as a file.
  private static func requests(in folder: TemporaryFolder) throws -> FileHandle {
    let url = folder.url("requests")
    let lines = (1...2).map { #"{"id":\#($0),"job":"info","model":"Exercise"}"# + "\n" }
    try Data(lines.joined().utf8).write(to: url)
    return try FileHandle(forReadingFrom: url)
  }

  @Test("every frame of a watched file comes, then what the prominent person does")
  func watch() throws {
    let worker = try WorkerProcess()
    _ = try worker.next()
    try worker.send(["id": 1, "job": "watch", "input": Self.clip])
    var frames: [[String: Any]] = []
    var result: [String: Any]?
    while result == nil {
      let answer = try worker.next()
      if let frame = answer["frame"] as? [String: Any] { frames.append(frame) }
      result = answer["result"] as? [String: Any]
      #expect(answer["error"] == nil)
    }
    #expect(result?["frames"] as? Int == frames.count)
    #expect(frames.compactMap { $0["frame"] as? Int } == Array(0..<frames.count))
    let labels = frames.compactMap { ($0["action"] as? [String: Any])?["label"] as? String }
    #expect(labels.contains("jumping_jacks"))
    let counts = frames.compactMap { ($0["counts"] as? [String: Int])?["jumping_jacks"] }
    #expect(counts == counts.sorted() && (counts.last ?? 0) >= 2)
    #expect(try worker.end() == 0)
  }
}

/// A `kinema worker` and its pipes.
final class WorkerProcess {
  private struct Ended: Error {}

  private let process: Process
  private let input = Pipe()
  private let output = Pipe()
  private var buffer = Data()
  private var count = 0

  init() throws {
    process = try Tool.start(["worker"], input: input, output: output)
  }

  func send(_ request: [String: Any]) throws {
    let data = try JSONSerialization.data(withJSONObject: request)
    try input.fileHandleForWriting.write(contentsOf: data + Data("\n".utf8))
  }

  func send(line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// The next line.
  func next() throws -> [String: Any] {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer = Data(buffer[(end + 1)...]) }
        return try JSONSerialization.jsonObject(with: buffer[..<end]) as? [String: Any] ?? [:]
      }
      // Not `read(upToCount:)`, which waits for as many bytes.
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Ended() }
      buffer += more
    }
  }

  /// The answer that ends a job.
  func last(of id: AnyHashable) throws -> [String: Any] {
    while true {
      let answer = try next()
      guard answer["id"] as? AnyHashable == id else { continue }
      if answer["result"] != nil || answer["error"] != nil { return answer }
    }
  }

  func answer(to job: String, _ members: [String: Any]) throws -> [String: Any] {
    count += 1
    try send(members.merging(["id": "job \(count)", "job": job]) { $1 })
    return try last(of: "job \(count)")
  }

  func result(of job: String, _ members: [String: Any]) throws -> [String: Any] {
    let answer = try answer(to: job, members)
    return try #require(answer["result"] as? [String: Any], "\(answer)")
  }

  func closeInput() { try? input.fileHandleForWriting.close() }
  func closeOutput() { try? output.fileHandleForReading.close() }

  func status() -> Int32 {
    process.waitForEnd()
    return process.terminationStatus
  }

  /// Ends the worker by the end of its input.
  func end() throws -> Int32 {
    closeInput()
    return status()
  }
}
