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

  /// Makes the poses of a synthetic person who repeats a motion six times.
  private func poses(of motion: String, in folder: TemporaryFolder) throws -> String {
    let file = folder.path("\(motion).npz")
    let made = try Tool.run("synth", "--actions", motion, "--repetitions", "6", "--poses", file)
    try #require(made.status == 0, "\(made.errors)")
    return file
  }

  @Test("exercises beyond the five of Exercise are recognised and evaluated")
  func otherExercises() throws {
    let folder = try TemporaryFolder()
    let curls = try poses(of: "biceps_curls", in: folder)
    let report = try Tool.json(try Tool.run("coach", curls, "--format", "json").output)
    let repetitions = try #require(report["repetitions"] as? [[String: Any]])
    #expect((5...7).contains(repetitions.count))
    #expect(repetitions.allSatisfy { $0["exercise"] as? String == "bicep_curls" })
    #expect(repetitions.allSatisfy { $0["verdict"] as? String == "good" })
    // From where the camera stands, not all rules of curls can be seen; the table doesn't call that good.
    let seen = repetitions.compactMap { $0["rulesSeen"] as? Int }
    let total = try #require(repetitions.first?["rulesTotal"] as? Int)
    #expect(seen.count == repetitions.count && total > 3)
    #expect(seen.allSatisfy { (1...total).contains($0) })
    let table = try Tool.run("coach", curls).output
    for count in Set(seen) where count < total {
      #expect(table.contains("partly seen (\(count) of \(total))"), "\(table)")
    }
    let rules = try #require(repetitions[0]["rules"] as? [[String: Any]])
    #expect(
      rules.allSatisfy { rule in
        (rule["title"] as? String)?.hasPrefix(rule["measure"] as? String ?? "-") == true
      })
  }

  @Test("repetitions of an exercise without rules are compared with a reference")
  func unruled() throws {
    let folder = try TemporaryFolder()
    let squats = try poses(of: "squats", in: folder)
    let alone = try Tool.run("coach", squats, "--exercise", "my_move")
    #expect(alone.status == 65 && alone.errors.contains("There are no rules for my_move"))
    let result = try Tool.run(
      "coach", squats, "--exercise", "my_move", "--like", squats, "--format", "json")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let repetitions = try #require(
      try Tool.json(result.output)["repetitions"] as? [[String: Any]])
    #expect((5...7).contains(repetitions.count))
    #expect(repetitions.allSatisfy { $0["rulesTotal"] as? Int == 0 && $0["differences"] != nil })
    // The first and the last one may begin and end a little differently.
    let alike = repetitions.filter { ($0["differences"] as? [Any])?.isEmpty == true }
    #expect(alike.count >= 3 && alike.allSatisfy { $0["verdict"] as? String == "good" })
  }

  @Test("a table without repetitions names the options that may help")
  func noRepetitions() throws {
    let folder = try TemporaryFolder()
    let walk = try poses(of: "walking", in: folder)
    let result = try Tool.run("coach", walk)
    #expect(result.status == 0)
    #expect(result.output.contains("No repetitions. Name the exercise with --exercise"))
  }

  @Test("a reference of another exercise is reported")
  func otherReference() throws {
    let folder = try TemporaryFolder()
    let squats = try poses(of: "squats", in: folder)
    let jacks = try poses(of: "jumping_jacks", in: folder)
    let other = try Tool.run("coach", jacks, "--like", squats)
    #expect(other.status == 0)
    #expect(
      other.errors.contains("Jumping Jacks are not compared; the reference has only Squats."))
    #expect(try Tool.run("coach", squats, "--like", squats).errors.isEmpty)
  }
}
