import Foundation
import KinemaTestSupport
import Testing

/// A synthetic person, from the rendered video to the output.
@Suite("The whole way", .serialized)
struct WholeWayTests {
  /// Eight jumping jacks with their exact poses and labels.
  static let folder: TemporaryFolder = {
    guard let folder = try? TemporaryFolder() else { preconditionFailure("no temporary folder") }
    _ = try? Tool.run(
      "synth", "--output", folder.path("jacks.mp4"), "--actions", "standing,jumping_jacks",
      "--repetitions", "8", "--size", "480x360", "--poses", folder.path("jacks.npz"), "--labels",
      folder.path("jacks.csv"))
    return folder
  }()

  @Test("a synthetic video comes with its labels")
  func synth() throws {
    let rows = try String(contentsOf: Self.folder.url("jacks.csv"), encoding: .utf8)
      .split(separator: "\n")
    #expect(rows.first == "file_name,label,start_time,end_time,repetitions")
    #expect(rows.contains { $0.contains(",jumping_jacks,") && $0.hasSuffix(",8") })
    #expect(rows.contains { $0.contains(",standing,") })
  }

  @Test("poses are found in nearly every frame, one line each, in pose coordinates")
  func poseLines() throws {
    let result = try Tool.run("pose", Self.folder.path("jacks.mp4"), "--format", "jsonl")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let lines = try result.output.split(separator: "\n").map { try Tool.json(String($0)) }
    var found = 0
    for (index, line) in lines.enumerated() {
      #expect(line["frame"] as? Int == index)
      let persons = line["persons"] as? [[String: Any]] ?? []
      guard let person = persons.first else { continue }
      found += 1
      let joints = try #require(person["joints"] as? [String: [Double]])
      #expect(joints.count == 18)
      let nose = try #require(joints["nose"])
      let ankle = try #require(joints["leftAnkle"])
      #expect(nose[1] > ankle[1], "y points up")
      #expect((person["box"] as? [Double])?.count == 4)
      #expect(person["id"] as? Int == 1)
    }
    #expect(lines.count > 150)
    #expect(Double(found) > 0.97 * Double(lines.count))
  }

  @Test("what is classified from video and from exact poses agrees with the truth")
  func classify() throws {
    for input in ["jacks.mp4", "jacks.npz"] {
      let result = try Tool.run(
        "classify", Self.folder.path(input), "--format", "json")
      #expect(result.status == 0, "\(result.errors)")
      let report = try Tool.json(result.output)
      #expect(report["schema"] as? Int == 1)
      #expect(report["label"] as? String == "jumping_jacks")
      let model = try #require(report["model"] as? [String: Any])
      #expect(model["windowSize"] as? Int == 60)
      #expect(model["frameRate"] as? Double == 30)
      let labels = try #require(model["labels"] as? [String])
      let windows = try #require(report["windows"] as? [[String: Any]])
      #expect(windows.count > 10)
      for window in windows {
        let probabilities = try #require(window["probabilities"] as? [String: Double])
        #expect(Set(probabilities.keys) == Set(labels))
        #expect(abs(probabilities.values.reduce(0, +) - 1) < 1e-4)
        #expect(["action", "lowConfidence"].contains(window["status"] as? String))
        #expect(try #require(window["end"] as? Double) > #require(window["start"] as? Double))
      }
    }
  }

  @Test("the annotated video has every frame, and the table names the action")
  func annotate() throws {
    let result = try Tool.run(
      "classify", Self.folder.path("jacks.mp4"), "--annotate", Self.folder.path("annotated.mp4"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("jumping_jacks"))
    let original = try Tool.run("pose", Self.folder.path("jacks.mp4"), "--format", "jsonl")
    let annotated = try Tool.run("pose", Self.folder.path("annotated.mp4"), "--format", "jsonl")
    #expect(
      original.output.split(separator: "\n").count
        == annotated.output.split(separator: "\n").count)
  }

  @Test("of several inputs the good ones are used and the bad one is named")
  func severalInputs() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Self.folder.url("jacks.mp4"), to: folder.url("good.mp4"))
    try Data("no video".utf8).write(to: folder.url("bad.mp4"))
    let output = folder.path("poses")
    let result = try Tool.run("pose", folder.path(""), "--output", output)
    #expect(result.status == 65)
    #expect(result.errors.contains("bad.mp4"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: output) == ["good.npz"])
  }

  @Test("Ctrl-C ends long work with status 130 and leaves no partial files")
  func interruption() async throws {
    let folder = try TemporaryFolder()
    let process = try Tool.start([
      "synth", "--output", folder.path("long.mp4"), "--actions", "squats", "--repetitions", "1000",
    ])
    #expect(try await waitUntil { folder.names.count == 1 })
    process.interrupt()
    process.waitForEnd()
    #expect(process.terminationStatus == 130)
    #expect(folder.names.isEmpty)
  }

  @Test("Ctrl-C ends a command that has just started")
  func earlyInterruption() throws {
    let folder = try TemporaryFolder()
    let process = try Tool.start([
      "synth", "--output", folder.path("long.mp4"), "--actions", "squats", "--repetitions", "1000",
    ])
    // As soon as the command catches the signal.
    func catches() -> Bool {
      let status = try? String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let mask = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
      let bits = mask.flatMap {
        UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16)
      }
      return (bits ?? 0) >> (UInt64(SIGINT) - 1) & 1 == 1
    }
    while process.isRunning && !catches() { usleep(1000) }
    process.interrupt()
    process.waitForEnd()
    #expect(process.terminationStatus == 130)
    #expect(folder.names.isEmpty)
  }

  @Test("a reader that stops reading is no failure")
  func closedPipe() throws {
    let pipe = Pipe()
    let process = try Tool.start(
      ["pose", Self.folder.path("jacks.mp4"), "--format", "jsonl"], output: pipe)
    _ = try pipe.fileHandleForReading.read(upToCount: 10)
    try pipe.fileHandleForReading.close()
    process.waitForEnd()
    #expect(process.terminationReason == .exit)
  }
}
