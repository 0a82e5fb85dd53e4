import Foundation
import KinemaTestSupport
import Testing

@Suite("Measuring training")
struct TrainingBenchTests {
  @Test("a short run says how many windows a second it does")
  func speed() throws {
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

  @Test(
    "what cannot be measured ends with status 64",
    arguments: [["x.mp4"], ["--precision", "f8"], ["--batch", "0"], ["--format", "xml"]])
  func refusals(_ arguments: [String]) throws {
    let result = try Tool.run(["bench", "--training", "stgcn"] + arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
  }
}
