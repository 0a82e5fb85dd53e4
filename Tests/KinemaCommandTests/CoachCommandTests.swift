import Foundation
import KinemaTestSupport
import Testing

@Suite("kinema coach")
struct CoachCommandTests {
  @Test("--show-rules prints a rulebook that is read again")
  func showRules() throws {
    let rules = try Tool.run("coach", "--show-rules")
    #expect(rules.status == 0)
    #expect(rules.output.contains("\"knee angle at the bottom\""))
    let folder = try TemporaryFolder()
    try Data(rules.output.utf8).write(to: folder.url("mine.json"))
    let again = try Tool.run("coach", "--rules", folder.path("mine.json"), "--show-rules")
    #expect(again.output == rules.output)
  }

  @Test("a rulebook with an unknown measure ends with status 65 and the known ones")
  func unknownMeasure() throws {
    let folder = try TemporaryFolder()
    let text = #"{"squats": {"follow": "hips", "depth": {"depth": "below 9°", "say": "Lower."}}}"#
    try Data(text.utf8).write(to: folder.url("mine.json"))
    let result = try Tool.run("coach", "--rules", folder.path("mine.json"), "x.npz")
    #expect(result.status == 65)
    #expect(result.errors.contains("squats, depth: “depth” is not measured; there are: knee angle"))
    #expect(try Tool.run("coach", "--exercise", "chess", "/dev/null").status == 65)
  }
}
