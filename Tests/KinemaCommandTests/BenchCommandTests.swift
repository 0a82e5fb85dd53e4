import Foundation
import KinemaTestSupport
import Testing

@Suite("kinema bench")
struct BenchCommandTests {
  @Test(
    "what cannot be measured ends with status 64",
    arguments: [
      ["--people", "x.mp4", "y.mp4"], ["--people", "--scenes", "0"], ["--people", "--seed", "x"],
      ["--people", "--format", "xml"], ["--people", "--kind", "x"],
      ["--people", "--report", "x.txt"], ["--counting", "x.mp4"],
      ["--counting", "--sequences", "0"],
      ["--counting", "--idle", "x"], ["--counting", "--format", "xml"],
      ["--clips", "videos", "x.mp4"], ["--hard-poses", "x.mp4"],
      ["--hard-poses", "--sequences", "0"],
      ["--training", "stgcn", "x.mp4"], ["--training", "stgcn", "--precision", "f8"],
      ["--training", "stgcn", "--batch", "0"], ["--training", "stgcn", "--format", "xml"],
    ])
  func refusals(_ arguments: [String]) throws {
    let result = try Tool.run(["bench"] + arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
  }

  @Test("a folder that is not there ends with status 66")
  func missingClips() throws {
    let result = try Tool.run("bench", "--clips", "/nonexistent")
    #expect(result.status == 66 && result.errors.contains("/nonexistent"))
  }

  @Test("clips are measured one by one")
  func clips() throws {
    let folder = try TemporaryFolder()
    for seed in ["1", "2"] {
      let made = try Tool.run(
        "synth", "--output", folder.path("\(seed).mp4"), "--actions", "squats", "--repetitions",
        "1",
        "--tempo", "1.5", "--size", "320x240", "--fps", "10", "--seed", seed)
      #expect(made.status == 0, "\(made.errors)")
    }
    let result = try Tool.run("bench", "--clips", folder.url.path, "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let clips = try #require(try Tool.json(result.output)["clips"] as? [[String: Any]])
    #expect(clips.compactMap { $0["file"] as? String } == ["1.mp4", "2.mp4"])
    for clip in clips {
      #expect((clip["frames"] as? Int ?? 0) >= 15)
      #expect((clip["whole"] as? Double ?? 0) > 0)
      #expect((clip["runs"] as? [String: Int])?["detector"] ?? 0 > 0)
    }
  }

  @Test("a short run reports counts and false counts")
  func counting() throws {
    let result = try Tool.run(
      "bench", "--counting", "--sequences", "2", "--idle", "1", "--threads", "2", "--format",
      "json")
    #expect(result.status == 0)
    let values = try Tool.json(result.output)
    let overall = values["overall"] as? [String: Any]
    #expect(overall?["sequences"] as? Int == 2)
    #expect((values["perMotion"] as? [String: Any])?.count == 2)
    let falseCounts = values["falseCountsPerMinute"] as? [String: Double]
    #expect(falseCounts?["standing"] != nil)
    #expect((values["update"] as? Double ?? 0) > 0)
  }

  @Test("a short training run reports windows a second")
  func training() throws {
    let result = try Tool.run(
      "bench", "--training", "tcn", "--batch", "4", "--window", "20", "--seconds", "0.1",
      "--threads", "2", "--format", "json")
    #expect(result.status == 0)
    let values = try Tool.json(result.output)
    #expect(values["training"] as? String == "tcn")
    #expect(values["batch"] as? Int == 4)
    #expect((values["windowsPerSecond"] as? Double ?? 0) > 0)
    #expect((values["windowsPerCoreSecond"] as? Double ?? 0) > 0)
  }
}
