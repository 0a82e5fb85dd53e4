import Foundation
import KinemaTestSupport
import Testing

/// Hands, from a real clip to the output.
@Suite("Hands", .serialized, .enabled(if: SharedData.isPresent, SharedData.reason))
struct HandCommandTests {
  private static let clip = SharedData.url("clips/intel_asl_no.mkv").path

  /// The hand poses of the clip.
  private static let folder: TemporaryFolder = {
    guard let folder = try? TemporaryFolder() else { preconditionFailure("no temporary folder") }
    _ = try? Tool.run(
      "pose", clip, "--hands", "--output", folder.path("hands.npz"), "--annotate",
      folder.path("hands.mp4"))
    return folder
  }()

  @Test("hands have 21 joints, an id and a side in each form in which they are written")
  func poseLines() throws {
    let lines = try Tool.run("pose", Self.clip, "--hands", "--format", "jsonl")
    #expect(lines.status == 0, "\(lines.errors)")
    var found = 0
    for line in lines.output.split(separator: "\n") {
      for hand in try Tool.json(String(line))["persons"] as? [[String: Any]] ?? [] {
        found += 1
        #expect((hand["joints"] as? [String: [Double]])?.count == 21)
        #expect(["left", "right"].contains(hand["hand"] as? String))
        #expect(hand["id"] is Int)
      }
    }
    #expect(found > 60)
    let table = try Tool.run("pose", Self.clip, "--hands", "--format", "csv", "--max-hands", "1")
    let rows = table.output.split(separator: "\n")
    #expect(rows.first == "frame,time,person,joint,x,y,confidence,hand,width,height")
    #expect(rows.contains { $0.contains(",thumbTip,") && $0.contains(/,(left|right),\d+,\d+$/) })
  }

  @Test(
    "a model of hands classifies each hand of a clip, and of its poses, alike",
    arguments: ["handpose_oksign", "handpose_asl29_mit", "hand_swipe_T30"])
  func classify(model: String) throws {
    let modelPath = SharedData.url("models/\(model).mlmodel").path
    var windows: [[[String: Any]]] = []
    for input in [Self.clip, Self.folder.path("hands.npz")] {
      let result = try Tool.run("classify", input, "--model", modelPath, "--format", "json")
      #expect(result.status == 0, "\(result.errors)")
      let report = try Tool.json(result.output)
      windows.append(try #require(report["windows"] as? [[String: Any]]))
    }
    #expect(!windows[0].isEmpty)
    #expect(windows[0].count == windows[1].count)
    for (one, other) in zip(windows[0], windows[1]) {
      #expect(one["label"] as? String == other["label"] as? String)
      #expect(one["person"] as? Int == other["person"] as? Int)
      #expect(["left", "right"].contains(one["hand"] as? String))
      #expect(one["hand"] as? String == other["hand"] as? String)
    }
    let csv = try Tool.run(
      "classify", Self.folder.path("hands.npz"), "--model", modelPath, "--format", "csv")
    #expect(csv.output.hasPrefix("video,start,end,person,status,label,confidence,hand\n"))
  }

  @Test("a picture is classified by a model of hand poses")
  func picture() throws {
    let picture = Self.folder.path("frame.png")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["ffmpeg", "-v", "quiet", "-nostdin", "-y", "-ss", "1", "-i", Self.clip]
      + ["-frames:v", "1", picture]
    try process.run()
    process.waitForEnd()
    let model = SharedData.url("models/handpose_oksign.mlmodel").path
    let result = try Tool.run("classify", picture, "--model", model, "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let windows = try #require(try Tool.json(result.output)["windows"] as? [[String: Any]])
    #expect((1...2).contains(windows.count))
  }

  @Test("poses of the wrong kind and options that do not fit are refused in a sentence")
  func refusals() throws {
    let hands = Self.folder.path("hands.npz")
    for arguments in [["classify", hands], ["count", hands]] {
      let result = try Tool.run(arguments)
      #expect(result.status == 65)
      #expect(result.errors.contains("21 joints, where those of bodies"), "\(result.errors)")
    }
    let model = SharedData.url("models/handpose_oksign.mlmodel").path
    for arguments in [
      ["pose", Self.clip, "--hands", "--persons", "2"], ["pose", Self.clip, "--max-hands", "2"],
      ["classify", Self.clip, "--model", model, "--persons", "2"],
      ["classify", Self.clip, "--max-hands", "1"],
    ] {
      #expect(try Tool.run(arguments).status == 64)
    }
  }

  @Test("hands are drawn on a copy of the clip")
  func annotated() throws {
    let result = try Tool.run("pose", Self.folder.path("hands.mp4"), "--hands")
    #expect(result.status == 0, "\(result.errors)")
  }
}
