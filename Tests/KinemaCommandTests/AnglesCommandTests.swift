import Foundation
import Kinema
import KinemaTestSupport
import Testing

@Suite("kinema angles, and kinema pose --depth", .serialized)
struct AnglesCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Poses of a synthetic person who squats.
  private func poses(_ name: String = "squats.npz") throws -> String {
    let poses = folder.path(name)
    let made = try Tool.run(
      "synth", "--actions", "squats", "--repetitions", "3", "--poses", poses, "--size", "640x640")
    try #require(made.status == 0, "\(made.errors)")
    return poses
  }

  @Test("the angles of a squat bend and stretch the knees, as the schema says")
  func json() throws {
    let result = try Tool.run("angles", poses(), "--format", "json")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(try SchemaCheck("angles").faults(in: Data(result.output.utf8), as: "report").isEmpty)
    let report = try Tool.json(result.output)
    let frames = try #require(report["frames"] as? [[String: Any]])
    #expect(frames.count > 100)
    func values(_ name: String) -> [Double] {
      frames.compactMap { frame in
        ((frame["angles"] as? [String: [String: Double]])?[name])?["value"]
      }
    }
    for name in ["leftKnee", "rightKnee"] {
      let knee = values(name)
      #expect(knee.count == frames.count)
      #expect((knee.max() ?? 0) > 150 && (knee.min() ?? 180) < 125, "\(name)")
    }
    #expect(
      Set(frames.flatMap { ($0["angles"] as? [String: Any] ?? [:]).keys }).isSuperset(of: [
        "leftKnee", "rightKnee", "leftHip", "rightHip", "leftElbow", "rightElbow", "leftShoulder",
        "rightShoulder", "trunkLean",
      ]))
  }

  @Test("a table, a row a frame, and a page say the same")
  func otherFormats() throws {
    let poses = try poses()
    let page = folder.url("angles.html")
    let table = try Tool.run("angles", poses, "--plot", page.path)
    #expect(table.status == 0)
    #expect(table.output.contains("left knee") && table.output.contains("trunk lean"))
    let html = try String(contentsOf: page, encoding: .utf8)
    #expect(html.contains("knee over time") && html.contains("</html>"))
    let rows = try Tool.run("angles", poses, "--format", "csv").output.split(separator: "\n")
    #expect(rows[0].hasPrefix("file,time,person,leftKnee,leftKneeError,"))
    #expect(rows.dropFirst().allSatisfy { $0.count(of: ",") == rows[0].count(of: ",") })
    #expect(rows.count > 100)
  }

  @Test("a pose that is held has its angle and how long it is held")
  func hold() throws {
    let poses = folder.path("standing.npz")
    let made = try Tool.run(
      "synth", "--actions", "standing", "--repetitions", "2", "--poses", poses, "--size", "640x640")
    try #require(made.status == 0, "\(made.errors)")
    let result = try Tool.run("angles", poses, "--format", "json")
    #expect(try SchemaCheck("angles").faults(in: Data(result.output.utf8), as: "report").isEmpty)
    let people = try #require(try Tool.json(result.output)["persons"] as? [[String: Any]])
    let angles = try #require(people.first?["angles"] as? [String: [String: Double]])
    let knee = try #require(angles["leftKnee"])
    let (held, mean) = (try #require(knee["held"]), try #require(knee["mean"]))
    #expect(abs(held - mean) < 3 && (knee["heldSeconds"] ?? 0) >= 1)
    #expect(try Tool.run("angles", poses).output.contains(" s\n"))
  }

  @Test("poses in space are metres, with the same joints as in the picture")
  func depth() throws {
    let poses = try poses()
    let result = try Tool.run("pose", poses, "--depth", "--format", "jsonl", "--height", "1.8")
    #expect(result.status == 0)
    let lines = try result.output.split(separator: "\n").map { try Tool.json(String($0)) }
    #expect(lines.count > 100)
    for line in lines {
      let people = try #require(line["persons"] as? [[String: Any]])
      let person = try #require(people.first)
      let places = try #require(person["joints3d"] as? [String: [Double]])
      #expect(Set(places.keys) == Set((person["joints"] as? [String: Any] ?? [:]).keys))
      let (left, right) = (try #require(places["leftHip"]), try #require(places["rightHip"]))
      #expect(left.count == 4 && left[3] > 0)
      // The middle of the hips is the origin, up to what the network leaves.
      #expect(zip(left, right).prefix(3).allSatisfy { abs($0 + $1) < 0.1 })
    }
  }

  @Test(
    "what cannot be is refused in a sentence",
    arguments: [
      (["pose", "POSES", "--depth"], "--depth goes with --format jsonl"),
      (["pose", "POSES", "--depth", "--hands", "--format", "jsonl"], "leave --hands out"),
      (["pose", "POSES", "--height", "1.8", "--format", "jsonl"], "--height goes with --depth"),
      (["angles", "POSES", "--everybody", "--person", "1"], "are alternatives"),
      (
        ["pose", "POSES", "--depth", "--format", "jsonl", "--annotate", "drawn.mp4"],
        "no pictures to draw on"
      ),
    ])
  func refusals(arguments: [String], sentence: String) throws {
    let poses = try poses()
    let result = try Tool.run(arguments.map { $0 == "POSES" ? poses : $0 })
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }

  @Test("a file with nobody in it has no angles, which is no error")
  func nobody() throws {
    let empty = folder.url("empty.npz")
    try PoseSequence(
      frames: (0..<30).map {
        .init(time: Double($0) / 30, poses: [], size: CGSize(width: 4, height: 3))
      }
    ).write(to: empty)
    let result = try Tool.run("angles", empty.path, "--format", "json")
    #expect(result.status == 0)
    #expect((try Tool.json(result.output)["frames"] as? [Any])?.isEmpty == true)
    #expect(try Tool.run("angles", empty.path).output.contains("nobody"))
  }
}

extension StringProtocol {
  fileprivate func count(of character: Character) -> Int { count { $0 == character } }
}
