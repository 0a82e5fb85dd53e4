import Foundation
import KinemaTestSupport
import Testing

struct RealFallsLongTests {
  @Test(
    "most real falls are found, and everyday life has about one false alarm in half an hour",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func figures() throws {
    let result = try Tool.run(
      "bench", "falls", SharedData.url("falls/index.csv").path,
      SharedData.url("life/index.csv").path, "--rate", "12.5", "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let real = try #require(Tool.json(result.output)["real"] as? [String: Any])
    let falls = try #require(real["falls"] as? Int)
    #expect(falls == 55)
    // Only the operating point is chosen by these clips; how well other rooms choose it stands in
    // docs/benchmarks.md.
    #expect(try #require(real["found"] as? Int) * 100 >= falls * 70, "\(real["missed"] ?? "")")
    #expect(
      try #require(real["falseAlarms"] as? Int) <= 2, "\(real["falseAlarmsOf"] ?? "")")
  }
}
