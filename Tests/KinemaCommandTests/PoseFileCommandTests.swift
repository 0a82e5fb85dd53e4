import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// What commands make of poses in files, compared with the video that they come from.
@Suite("Pose files in place of videos", .serialized)
struct PoseFileCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A video of squats that is twice as wide as high.
  private func video() throws -> String {
    let video = folder.path("squats.mp4")
    let made = try Tool.run(
      "synth", "--output", video, "--actions", "squats", "--repetitions", "4", "--size", "640x320",
      "--fps", "15")
    try #require(made.status == 0, "\(made.errors)")
    return video
  }

  private func json(_ arguments: [String]) throws -> (object: [String: Any], errors: String) {
    let result = try Tool.run(arguments + ["--format", "json"])
    try #require(result.status == 0, "\(result.errors)")
    var object = try Tool.json(result.output)
    for key in ["video", "processing", "seconds", "input"] { object[key] = nil }
    return (object, result.errors)
  }

  @Test("counts and forms of poses in files are those of the video")
  func sameAsVideo() throws {
    let video = try video()
    for format in ["npz", "jsonl"] {
      let poses = folder.path("squats.\(format)")
      #expect(try Tool.run("pose", video, "--output", poses).status == 0)
      for command in [["count"], ["coach", "--exercise", "squats"]] {
        // The file has the poses of every frame.
        let ofVideo = try json(command + [video, "--rate", "all"])
        let ofPoses = try json(command + [poses])
        #expect(ofVideo.object as NSDictionary == ofPoses.object as NSDictionary)
        #expect(ofPoses.errors.isEmpty)
      }
    }
  }

  @Test("as many frames as movement needs are processed of one person in a file, else all")
  func usualRate() throws {
    let video = folder.path("thirty.mp4")
    let made = try Tool.run(
      "synth", "--output", video, "--actions", "squats", "--repetitions", "2", "--size", "640x320")
    try #require(made.status == 0, "\(made.errors)")
    func windows(_ options: [String]) throws -> NSArray {
      let windows = try json(["classify", video] + options).object["windows"]
      return try #require(windows as? NSArray)
    }
    let (usual, all) = (try windows([]), try windows(["--rate", "all"]))
    let thinned = try windows(["--rate", "auto"])
    #expect(usual == thinned && usual != all)
    for options in [["--person", "1"], ["--everybody"], ["--annotate", folder.path("drawn.mp4")]] {
      let whole = try windows(options + ["--rate", "all"])
      #expect(try windows(options) == whole, "\(options)")
    }
  }

  @Test("a pose file without the size of its pictures gets one warning, unless the shape is named")
  func withoutSize() throws {
    let poses = folder.url("old.npz")
    #expect(
      try Tool.run("synth", "--actions", "squats", "--poses", poses.path, "--size", "640x320")
        .status
        == 0)
    var sequence = try PoseSequence(contentsOf: poses)
    #expect(sequence.frames.allSatisfy { $0.size == CGSize(width: 640, height: 320) })
    for index in sequence.frames.indices { sequence.frames[index].size = nil }
    try sequence.write(to: poses)
    for command in ["count", "coach", "classify"] {
      let result = try Tool.run(command, poses.path)
      #expect(result.status == 0)
      let warnings = result.errors.split(separator: "\n").count {
        $0.contains("old.npz: The size of its pictures is not known")
      }
      #expect(warnings == 1, "\(command): \(result.errors)")
    }
    #expect(try Tool.run("count", poses.path, "--aspect-ratio", "2").errors.isEmpty)
  }

  @Test("a source with too few frames a second is reported with its rate, without its gaps")
  func tooFewFrames() throws {
    let poses = folder.url("squats.npz")
    let made = try Tool.run(
      "synth", "--actions", "squats", "--repetitions", "4", "--fps", "30", "--poses", poses.path)
    try #require(made.status == 0, "\(made.errors)")
    let whole = try PoseSequence(contentsOf: poses)
    let words = "too few to follow a movement: actions and repetitions need at least 5"
    func errors(_ command: String, step: Int, gap: Double = 0) throws -> String {
      var some = whole
      some.frames = stride(from: 0, to: whole.frames.count, by: step).map { whole.frames[$0] }
      for index in some.frames.indices.dropFirst(some.frames.count / 2) {
        some.frames[index].time += gap
      }
      try some.write(to: poses)
      let result = try Tool.run(command, poses.path)
      #expect(result.status == 0)
      return result.errors
    }
    for gap in [0, 60.0] {
      #expect(
        try errors("count", step: 15, gap: gap)
          == "kinema: squats.npz has 2.0 frames a second, \(words).\n")
      #expect(
        try errors("classify", step: 10, gap: gap)
          == "kinema: squats.npz has 3.0 frames a second, \(words), and best the 30 of the model.\n"
      )
      for step in [1, 6] {
        #expect(try errors("count", step: step, gap: gap).isEmpty)
        #expect(try errors("classify", step: step, gap: gap).isEmpty)
      }
    }
  }

  @Test("tables of poses have the size of the pictures")
  func tables() throws {
    let video = try video()
    let csv = try Tool.run("pose", video, "--format", "csv")
    let rows = csv.output.split(separator: "\n")
    #expect(rows.first?.hasSuffix(",confidence,width,height") == true)
    #expect(rows.count > 2 && rows.dropFirst().allSatisfy { $0.hasSuffix(",640,320") })
    let lines = try Tool.run("pose", video, "--format", "jsonl").output.split(separator: "\n")
    #expect(try lines.allSatisfy { try Tool.json(String($0))["size"] as? [Int] == [640, 320] })
  }

  @Test(
    "absence and holes in the times end a stretch",
    .enabled(if: SharedData.isPresent, SharedData.reason),
    arguments: [("person_away_20_s.npz", 8.0...14.0), ("gap_120_s.npz", 8.0...12.0)])
  func holes(file: String, seconds: ClosedRange<Double>) throws {
    let poses = SharedData.url("cases/\(file)").path
    for options in [[], ["--everybody"]] {
      let (object, _) = try json(["classify", poses] + options)
      let summary = try #require(object["summary"] as? [String: Double])
      let jacks = summary.filter { $0.key.contains("jack") }.values.reduce(0, +)
      #expect(seconds.contains(jacks), "\(file) \(options): \(summary)")
    }
    let repetitions = try #require(
      try json(["count", poses]).object["repetitions"] as? [[String: Any]])
    let lengths = repetitions.map {
      ($0["end"] as? Double ?? 0) - ($0["start"] as? Double ?? 0)
    }
    #expect(lengths.allSatisfy { $0 < 5 }, "\(lengths)")
  }
}
