import Foundation
import KinemaTestSupport
import Testing

@Suite("kinema assess", .serialized)
struct AssessCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Poses of a synthetic person seen from the side who stands up from a chair six times.
  private func poses() throws -> String {
    let poses = folder.path("chair.npz")
    let made = try Tool.run(
      "synth", "--actions", "sit_to_stand", "--repetitions", "6", "--poses", poses, "--size",
      "640x640", "--yaw", "60")
    try #require(made.status == 0, "\(made.errors)")
    return poses
  }

  @Test("five stands are timed, as the schema says, with the sentence about diagnoses")
  func json() throws {
    let result = try Tool.run(
      "assess", poses(), "--test", "five-times-chair-stand", "--format", "json")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(try SchemaCheck("assess").faults(in: Data(result.output.utf8), as: "report").isEmpty)
    let report = try Tool.json(result.output)
    #expect((report["disclaimer"] as? String)?.contains("not a diagnosis") == true)
    let measurements = try #require(report["measurements"] as? [[String: Any]])
    let time = try #require(measurements.first { $0["name"] as? String == "time" })
    #expect((time["value"] as? Double ?? 0) > 5 && (time["error"] as? Double ?? 0) > 0)
    let phases = try #require(report["phases"] as? [[String: Any]])
    #expect(phases.count { $0["name"] as? String == "stand up" } == 5)
  }

  @Test("a table, a row a measurement, and a page to print say the same")
  func otherFormats() throws {
    let poses = try poses()
    let page = folder.url("chair.html")
    let table = try Tool.run(
      "assess", poses, "--test", "chair-stand-30s", "--age", "72", "--sex", "female", "--report",
      page.path)
    #expect(table.status == 0)
    #expect(table.output.contains("stands") && table.output.contains("not a diagnosis"))
    #expect(table.output.contains("10: fewer are below average for the age and sex (CDC, STEADI)"))
    let html = try String(contentsOf: page, encoding: .utf8)
    for text in ["Clinician", "not a diagnosis", "@media print", "height of the hips", "</html>"] {
      #expect(html.contains(text), "\(text)")
    }
    let rows = try Tool.run(
      "assess", poses, "--test", "chair-stand-30s", "--format", "csv"
    ).output.split(separator: "\n")
    #expect(rows[0] == "video,test,measurement,side,value,error,unit,unseen" && rows.count > 2)
  }

  @Test("what can't be seen has its reason, in a part of a file as well")
  func reasons() throws {
    let poses = try poses()
    let part = try Tool.run(
      "assess", poses, "--test", "five-times-chair-stand", "--to", "6")
    #expect(part.status == 0 && part.output.contains("can't be seen: the person stands up"))
    let walk = try Tool.run("assess", poses, "--test", "walk-4m")
    #expect(walk.output.contains("fewer than 4 steps in a row"))
  }

  @Test("the tests are listed and their definitions printed, to change them")
  func definitions() throws {
    let list = try Tool.run("assess", "--list")
    #expect(list.status == 0 && list.output.contains("walk-4m: 4-metre walk"))
    let own = folder.url("own.json")
    let text = try Tool.run("assess", "--show-tests").output
      .replacingOccurrences(of: "\"stands\": 5", with: "\"stands\": 3")
    try text.write(to: own, atomically: true, encoding: .utf8)
    let result = try Tool.run(
      "assess", poses(), "--test", "five-times-chair-stand", "--tests", own.path, "--format", "json"
    )
    let phases = try Tool.json(result.output)["phases"] as? [[String: Any]] ?? []
    #expect(phases.count { $0["name"] as? String == "stand up" } == 3)
  }

  @Test(
    "what cannot be is refused in a sentence",
    arguments: [
      (["assess", "POSES"], "Name the test with --test; there are chair-stand-30s"),
      (["assess", "POSES", "--test", "walk"], "did you mean walk-4m?"),
      (
        ["assess", "POSES", "--test", "walk-4m", "--from", "5", "--to", "4"],
        "--from must be before --to"
      ),
      (["assess", "--test", "walk-4m"], "Name at least one file"),
    ])
  func refusals(arguments: [String], sentence: String) throws {
    let poses = try poses()
    let result = try Tool.run(arguments.map { $0 == "POSES" ? poses : $0 })
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }
}
