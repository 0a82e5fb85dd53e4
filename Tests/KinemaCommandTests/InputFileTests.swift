import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// What commands make of the files that are named, and of those that cannot be used.
@Suite("Input files", .serialized)
struct InputFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The exact poses of a few squats.
  private func squats(_ name: String = "squats.npz") throws -> String {
    let path = folder.path(name)
    let made = try Tool.run("synth", "--poses", path, "--actions", "squats", "--repetitions", "2")
    try #require(made.status == 0, "\(made.errors)")
    return path
  }

  @Test(
    "no annotated copy of poses is made, and none is promised",
    arguments: ["pose", "count", "classify", "coach"])
  func noPictures(command: String) throws {
    let result = try Tool.run(command, try squats(), "--annotate", folder.path("copy.mp4"))
    #expect(result.status == 64)
    #expect(result.errors.contains("squats.npz has no pictures to draw on; leave --annotate out."))
    #expect(!FileManager.default.fileExists(atPath: folder.path("copy.mp4")))
  }

  @Test(
    "one file that cannot be used costs no result of the others",
    arguments: [
      ("count", "report"), ("classify", nil), ("coach", "report"), ("angles", "plot"),
      ("assess --test knee-range", "report"),
    ])
  func oneBadFile(command: String, page: String?) throws {
    try Data("no video".utf8).write(to: folder.url("text.mp4"))
    let words =
      command.split(separator: " ").map(String.init)
      + [try squats(), folder.path("text.mp4"), "--format", "json"]
      + (page.map { ["--\($0)", folder.path("page.html")] } ?? [])
    let result = try Tool.run(words)
    #expect(result.status == 65)
    #expect(result.errors.contains("Not all of the 2 files could be used; see above."))
    let reports = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [Any]
    #expect(reports?.count == 1)
    #expect(page == nil || FileManager.default.fileExists(atPath: folder.path("page.html")))
  }

  @Test("a name that ends with / is that of a folder, also for one file")
  func outputFolder() throws {
    let poses = try squats()
    let result = try Tool.run(
      "pose", poses, "--format", "jsonl", "--output", folder.path("out") + "/")
    #expect(result.status == 0, "\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.path("out/squats.jsonl")))
  }

  @Test("an empty name is not the current folder")
  func emptyNames() throws {
    let poses = try squats()
    for words in [
      ["count", ""], ["pose", poses, "--output", ""], ["classify", poses, "--model="],
    ] {
      let result = try Tool.run(words)
      #expect(result.status == 64 && result.errors.contains("is empty; check the variable"))
    }
  }

  @Test("a frame without poses stays a frame in a table")
  func emptyFrames() throws {
    let sequence = try PoseSequence(contentsOf: URL(filePath: try squats()))
    var frames = sequence.frames
    for index in frames.indices where index % 10 == 0 || index > frames.count - 20 {
      frames[index].poses = []
    }
    try PoseSequence(frames: frames).write(to: folder.url("gaps.npz"))
    let table = folder.path("gaps.csv")
    #expect(try Tool.run("pose", folder.path("gaps.npz"), "--output", table).status == 0)
    func counted(_ path: String) throws -> NSDictionary {
      var object = try Tool.json(try Tool.run("count", path, "--format", "json").output)
      object["video"] = nil
      object["input"] = nil
      return object as NSDictionary
    }
    #expect(try PoseSequence(contentsOf: folder.url("gaps.csv")).frames.count == frames.count)
    #expect(try counted(table) == counted(folder.path("gaps.npz")))
  }

  @Test("what a pose file lacks cannot be written of it")
  func lackingLandmarks() throws {
    let poses = try squats()
    let landmarks = try Tool.run("pose", poses, "--landmarks", "all", "--format", "csv")
    #expect(landmarks.status == 65 && landmarks.errors.contains("squats.npz has no landmarks"))
    let smooth = try Tool.run("pose", poses, "--smooth", "--output", folder.path("a.npz"))
    #expect(smooth.status == 64 && smooth.errors.contains("--smooth goes with videos"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.npz")))
  }

  @Test("a picture is no window of actions")
  func picture() throws {
    let video = folder.path("a.mp4")
    try Tool.run("synth", "--output", video, "--actions", "standing", "--size", "160x120")
    let picture = folder.path("a.png")
    let drawn = try Process.run(
      URL(filePath: "/usr/bin/env"),
      arguments: ["ffmpeg", "-loglevel", "error", "-i", video, "-frames:v", "1", picture])
    drawn.waitUntilExit()
    let result = try Tool.run("classify", picture)
    #expect(result.status == 65 && result.errors.contains("a.png is a picture, and Exercise"))
  }

  @Test("a part after the end of a file is refused with where it ends")
  func partAfterEnd() throws {
    let poses = try squats()
    let test = ["assess", poses, "--test", "knee-range"]
    let late = try Tool.run(test + ["--from", "900"])
    #expect(late.status == 65 && late.errors.contains("squats.npz ends at "), "\(late.errors)")
    let turned = try Tool.run(test + ["--from", "3", "--to", "1"])
    #expect(turned.status == 64 && turned.errors.contains("--from must be before --to."))
  }
}
