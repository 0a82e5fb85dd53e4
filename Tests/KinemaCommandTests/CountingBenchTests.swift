import Foundation
import KinemaTestSupport
import Testing

@Suite("Measuring counting")
struct CountingBenchTests {
  @Test("a short run tells how many sequences are counted right, and what is counted for nothing")
  func figures() throws {
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

  @Test(
    "what cannot be measured ends with status 64",
    arguments: [["x.mp4"], ["--sequences", "0"], ["--idle", "x"], ["--format", "xml"]])
  func refusals(_ arguments: [String]) throws {
    let result = try Tool.run(["bench", "--counting"] + arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
  }
}
