import Foundation
import KinemaTestSupport
import Testing

@Suite("One person, and everybody")
struct PinnedPersonTests {
  /// A file of poses of two people: number 1 is large and stands, number 2 is small and lifts both
  /// arms ten times.
  private func pair(in folder: TemporaryFolder) throws -> String {
    let names = [
      "nose", "neck", "rightShoulder", "rightElbow", "rightWrist", "leftShoulder", "leftElbow",
      "leftWrist", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle",
    ]
    let xs = [0.5, 0.5, 0.41, 0.38, 0.36, 0.59, 0.62, 0.64, 0.44, 0.44, 0.44, 0.56, 0.56, 0.56]
    let ys = [0.85, 0.75, 0.75, 0.6, 0.45, 0.75, 0.6, 0.45, 0.5, 0.3, 0.1, 0.5, 0.3, 0.1]
    func person(_ id: Int, scale: Double, lift: Double) -> String {
      let joints = names.indices.map { index in
        let raise =
          names[index].hasSuffix("Wrist") ? 0.5 : names[index].hasSuffix("Elbow") ? 0.25 : 0
        let place = (xs[index] * scale, (ys[index] + raise * lift) * scale)
        return "\"\(names[index])\":[\(place.0),\(place.1),0.9]"
      }
      return """
        {"id":\(id),"confidence":0.9,"box":[0,0,1,1],"joints":{\(joints.joined(separator: ","))}}
        """
    }
    let lines = (0..<360).map { frame in
      let lift = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / 36)
      let people = [person(1, scale: 1, lift: 0), person(2, scale: 0.5, lift: lift)]
      return """
        {"frame":\(frame),"time":\(Double(frame) / 30),\
        "persons":[\(people.joined(separator: ","))]}\n
        """
    }
    let url = folder.url("pair.jsonl")
    try Data(lines.joined().utf8).write(to: url)
    return url.path
  }

  @Test("the person of the id is counted, not the largest one")
  func count() throws {
    let folder = try TemporaryFolder()
    let file = try pair(in: folder)
    func count(_ options: String...) throws -> Int {
      let result = try Tool.run(["count", file, "--format", "json"] + options)
      #expect(result.status == 0, "\(result.errors)")
      return try #require(try Tool.json(result.output)["count"] as? Int)
    }
    #expect(try count() == 0)
    #expect(try count("--person", "1") == 0)
    #expect(abs(try count("--person", "2") - 10) <= 1)
  }

  @Test(
    "an id that nobody has is an error, which names those that there are",
    arguments: ["count", "classify", "coach", "angles", "assess --test single-leg-stance"])
  func nobody(command: String) throws {
    let folder = try TemporaryFolder()
    let words = command.split(separator: " ").map(String.init)
    let result = try Tool.run(words + [try pair(in: folder), "--person", "9", "--size", "640x480"])
    #expect(result.status == 65 && result.output.isEmpty, "\(result.output)")
    #expect(
      result.errors.contains("Nobody in pair.jsonl has the id 9; its ids are 1, 2."),
      "\(result.errors)")
  }

  @Test("the person of the id is classified")
  func classify() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(
      "classify", try pair(in: folder), "--person", "2", "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let windows = try #require(try Tool.json(result.output)["windows"] as? [[String: Any]])
    #expect(!windows.isEmpty && windows.allSatisfy { $0["person"] as? Int == 2 })
  }

  @Test("everybody is counted, each with an id")
  func countEverybody() throws {
    let folder = try TemporaryFolder()
    let file = try pair(in: folder)
    let json = try Tool.json(
      Tool.run("count", file, "--everybody", "--format", "json").output)
    let persons = try #require(json["persons"] as? [[String: Any]])
    #expect(persons.map { $0["person"] as? Int } == [1, 2])
    #expect(persons[0]["count"] as? Int == 0)
    let count = try #require(persons[1]["count"] as? Int)
    #expect(abs(count - 10) <= 1)
    #expect(json["count"] as? Int == count)
    let repetitions = try #require(json["repetitions"] as? [[String: Any]])
    #expect(repetitions.count == count && repetitions.allSatisfy { $0["person"] as? Int == 2 })
    let rows = try Tool.run("count", file, "--everybody", "--format", "csv").output
      .split(separator: "\n")
    #expect(rows.count == count + 1 && rows[0].hasSuffix(",person") && rows[1].hasSuffix(",2"))
    let table = try Tool.run("count", file, "--everybody").output
    #expect(table.contains("Person 1: 0 repetitions"))
    #expect(table.contains("Person 2: \(count) repetitions"))
  }

  @Test("everybody is classified, each with an id")
  func classifyEverybody() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("two.jsonl")
    try Tool.run(
      "synth", "--output", folder.path("two.mp4"), "--size", "64x48", "--people", "2",
      "--actions", "jumping_jacks", "--repetitions", "5", "--poses", file)
    let json = try Tool.json(
      Tool.run("classify", file, "--everybody", "--format", "json").output)
    let windows = try #require(json["windows"] as? [[String: Any]])
    #expect(Set(windows.compactMap { $0["person"] as? Int }) == [1, 2])
    let persons = try #require(json["persons"] as? [[String: Any]])
    #expect(persons.map { $0["person"] as? Int } == [1, 2])
    #expect(persons.allSatisfy { $0["summary"] is [String: Double] })
    #expect(try Tool.run("classify", file, "--everybody").output.contains("person"))
    #expect(try Tool.run("classify", file, "--everybody", "--person", "1").status == 64)
  }

  @Test("a number that no person has ends with status 64", arguments: ["0", "-1", "two"])
  func refusals(_ number: String) throws {
    let folder = try TemporaryFolder()
    let file = try pair(in: folder)
    for command in ["count", "classify"] {
      #expect(try Tool.run(command, file, "--person=\(number)").status == 64)
    }
  }
}
