import Foundation
import KinemaTestSupport
import Testing

@Suite("Measuring how people are followed")
struct PeopleBenchTests {
  @Test(
    "what cannot be measured ends with status 64",
    arguments: [["x.mp4", "y.mp4"], ["--scenes", "0"], ["--seed", "x"], ["--format", "xml"]])
  func refusals(_ arguments: [String]) throws {
    let result = try Tool.run(["bench", "--people"] + arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
  }
}
