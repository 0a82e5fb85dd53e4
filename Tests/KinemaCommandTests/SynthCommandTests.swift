import Foundation
import Kinema
import KinemaSynth
import KinemaTestSupport
import Testing

@Suite("kinema synth")
struct SynthCommandTests {
  @Test("every motion of the library is listed with its class")
  func list() throws {
    let result = try Tool.run("synth", "--list")
    #expect(result.status == 0 && result.errors.isEmpty)
    let rows = result.output.split(separator: "\n")
    #expect(rows.count == Motion.library.count + 1)
    #expect(rows.contains { $0.contains(" reverse_lunges ") && $0.contains(" lunges ") })
    #expect(rows.allSatisfy { $0.count <= 110 })
  }

  @Test(
    "what cannot be written is refused before anything is rendered",
    arguments: [
      (["--poses", "s.txt"], "Poses are written as .npz or .jsonl; s.txt is neither."),
      (["--labels", "s.xyz"], "Labels are written as .csv; s.xyz is not."),
      (["extra"], "extra is one word too many."),
      (["--seed", "-1"], "--seed takes an integer from 0 on, not -1."),
    ])
  func refusals(words: [String], sentence: String) throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(
      ["synth", "--output", folder.path("s.mp4")]
        + words.map { $0.hasPrefix("s.") ? folder.path($0) : $0 })
    #expect(result.status == 64 && result.errors.contains(sentence), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.mp4")))
  }

  @Test("a data set has the requested sequences and rows")
  func dataset() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(
      "synth", "--dataset", folder.path("set"), "--sequences", "40", "--duration", "2", "--fps",
      "20", "--seed", "3")
    #expect(result.status == 0, "\(result.errors)")
    let rows = try Self.rows(folder)
    #expect(rows.count == 41)
    #expect(rows[0] == "file_name,label,start_time,end_time,motion,repetitions")
    for row in rows.dropFirst() {
      let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(cells.count == 6)
      #expect(cells[0].hasPrefix("\(cells[1])/\(cells[4])-"))
      #expect(cells[2] == "0.000" && cells[3] == "2.000")
      let poses = try PoseSequence(contentsOf: folder.url("set/\(cells[0])"))
      #expect(poses.frames.count == 40)
      let motion = try #require(Motion.named(cells[4]))
      #expect(motion.action.rawValue == cells[1])
      #expect(motion.isCounted == (Int(cells[5]) != nil))
    }
    #expect(Set(rows.dropFirst().map { $0.split(separator: ",")[1] }).count == 6)
  }

  @Test("what is there is left alone, what is missing is made, and more can be added")
  func resuming() throws {
    let folder = try TemporaryFolder()
    let arguments = ["synth", "--dataset", folder.path("set"), "--labels", "squats,deadlifts"]
    try Tool.run(arguments + ["--sequences", "10"])
    let names = try Self.rows(folder).dropFirst().map { String($0.prefix { $0 != "," }) }
    #expect(names.count == 10)
    let first = try Data(contentsOf: folder.url("set/\(names[0])"))
    try Data("mine".utf8).write(to: folder.url("set/\(names[0])"))
    try FileManager.default.removeItem(at: folder.url("set/\(names[1])"))
    let again = try Tool.run(arguments + ["--sequences", "12"])
    #expect(again.status == 0)
    #expect(again.output.contains("12 sequences") && again.output.contains("3 of them new"))
    #expect(try Data(contentsOf: folder.url("set/\(names[0])")) == Data("mine".utf8))
    try FileManager.default.removeItem(at: folder.url("set/\(names[0])"))
    try Tool.run(arguments + ["--sequences", "12"])
    #expect(try Data(contentsOf: folder.url("set/\(names[0])")) == first)
    let other = try Tool.run(arguments + ["--sequences", "12", "--seed", "2"])
    #expect(other.status == 64)
    #expect(other.errors.contains("other options"))
  }

  @Test("a data set can be videos")
  func videos() async throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(
      "synth", "--dataset", folder.path("set"), "--sequences", "3", "--labels",
      "sit_ups,empty_room", "--videos", "--size", "96x64", "--duration", "0.5", "--fps", "10")
    #expect(result.status == 0, "\(result.errors)")
    for row in try Self.rows(folder).dropFirst() {
      let url = folder.url("set/\(row.prefix { $0 != "," })")
      #expect(url.pathExtension == "mp4")
      #expect(try Data(contentsOf: url).count > 500)
    }
  }

  @Test("an interrupted data set holds whole files only and is finished later")
  func interruption() throws {
    let folder = try TemporaryFolder()
    let arguments = ["synth", "--dataset", folder.path("set"), "--labels", "squats,lunges"]
    let process = try Tool.start(arguments + ["--sequences", "1000000"])
    let squats = folder.url("set/squats").path
    #expect(eventually { Self.files(squats).count >= 20 })
    process.interrupt()
    process.waitForEnd()
    #expect(process.terminationStatus == 130)
    let files = Self.files(squats)
    #expect(files.count >= 20)
    #expect(files.allSatisfy { $0.hasSuffix(".npz") && !$0.hasPrefix(".") })
    #expect(!FileManager.default.fileExists(atPath: folder.path("set/annotations.csv")))
    #expect(try Tool.run(arguments + ["--sequences", "20"]).status == 0)
    #expect(try Self.rows(folder).count == 21)
  }

  @Test(
    "a slip of the hand ends with status 64 and one line that helps",
    arguments: [
      (["--dataset", "x"], "--sequences"),
      (["--dataset", "x", "--sequences", "many"], "integer"),
      (["--dataset", "x", "--sequences", "5", "--labels", "squat"], "did you mean squats?"),
      (["--dataset", "x", "--sequences", "5", "--labels", "squats,squats"], "twice"),
      (["--dataset", "x", "--sequences", "5", "--labels", "qqqqqqqq"], "--list"),
      (["--dataset", "x", "--sequences", "5", "--duration", "0.1", "--fps", "1"], "--duration"),
      (["--dataset", "x", "--sequences", "5", "--output", "y.mp4"], "--output"),
      (["--output", "x.mp4", "--sequences", "5"], "--dataset"),
      (["--output", "x.mp4", "--videos"], "--dataset"),
      (["--output", "x.mp4", "--actions", "empty_room"], "shows no person"),
    ])
  func usage(arguments: [String], hint: String) throws {
    let result = try Tool.run(["synth"] + arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: "x"))
  }

  private static func rows(_ folder: TemporaryFolder) throws -> [String] {
    try String(contentsOf: folder.url("set/annotations.csv"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  private static func files(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }
}
