import Foundation
import KinemaTestSupport
import Testing

@Suite("kinema count")
struct CountCommandTests {
  /// A pose file in which a person waves both arms, once every `period` seconds.
  private func waving(
    _ name: String, in folder: TemporaryFolder, period: Double = 1.2, cycles: Double = 10
  ) throws -> String {
    let names = [
      "nose", "neck", "rightShoulder", "rightElbow", "rightWrist", "leftShoulder", "leftElbow",
      "leftWrist", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle",
    ]
    let xs = [0.5, 0.5, 0.41, 0.38, 0.36, 0.59, 0.62, 0.64, 0.44, 0.44, 0.44, 0.56, 0.56, 0.56]
    let ys = [0.85, 0.75, 0.75, 0.6, 0.45, 0.75, 0.6, 0.45, 0.5, 0.3, 0.1, 0.5, 0.3, 0.1]
    var text = ""
    for frame in 0..<Int(period * cycles * 30) {
      let time = Double(frame) / 30
      let lift = 0.5 - 0.5 * cos(2 * .pi * time / period)
      let joints = names.indices.map { index in
        let raise =
          names[index].hasSuffix("Wrist") ? 0.5 : names[index].hasSuffix("Elbow") ? 0.25 : 0
        return "\"\(names[index])\":[\(xs[index]),\(ys[index] + raise * lift),0.9]"
      }
      text += """
        {"frame":\(frame),"time":\(time),"size":[480,480],"persons":[{"id":1,"confidence":0.9,"box":[0,0,1,1],\
        "joints":{\(joints.joined(separator: ","))}}]}\n
        """
    }
    let url = folder.url(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test("counting without the built-in network says so; asking for the network fails")
  func missingNetwork() throws {
    let folder = try TemporaryFolder()
    let poses = try waving("wave.jsonl", in: folder)
    let tool = folder.url("kinema")
    try FileManager.default.copyItem(at: Tool.executable, to: tool)
    func count(_ method: String) throws -> (status: Int32, errors: String) {
      let (process, errors) = (Process(), folder.url("errors"))
      try Data().write(to: errors)
      process.executableURL = tool
      process.currentDirectoryURL = folder.url
      process.arguments = ["count", poses, "--method", method]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      process.waitForEnd()
      return (process.terminationStatus, try String(contentsOf: errors, encoding: .utf8))
    }
    let auto = try count("auto")
    #expect(auto.status == 0)
    #expect(auto.errors.contains("Repetitions.mlmodel"))
    #expect(try count("signal").errors == "")
    #expect(try count("network").status == 69)
  }

  /// ``CountCommandLongTests`` has more people, and others.
  @Test(
    "a synthetic person who talks or holds a plank repeats nothing",
    arguments: ["talking", "plank"])
  func idlePerson(motion: String) throws {
    #expect(try CountCommandLongTests.count(of: motion, seed: 1) <= 1)
  }

  @Test("a file that shows one repetition and nothing else has one, and half of one is none")
  func onlyRepetition() throws {
    let folder = try TemporaryFolder()
    for (name, cycles, count) in [("once", 1.0, 1), ("half", 0.5, 0)] {
      let poses = try waving("\(name).jsonl", in: folder, period: 3, cycles: cycles)
      let report = try Tool.json(try Tool.run("count", poses, "--format", "json").output)
      #expect(report["count"] as? Int == count)
      #expect((report["repetitions"] as? [Any])?.count == count)
    }
  }

  @Test("poses are counted, and JSON has count, repetitions and series")
  func json() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run("count", try waving("waves.jsonl", in: folder), "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let report = try Tool.json(result.output)
    #expect(report["schema"] as? Int == 1)
    let count = try #require(report["count"] as? Int)
    #expect(abs(count - 10) <= 1)
    let repetitions = try #require(report["repetitions"] as? [[String: Any]])
    #expect(repetitions.count == count)
    for repetition in repetitions {
      let start = try #require(repetition["start"] as? Double)
      let end = try #require(repetition["end"] as? Double)
      #expect(start < end)
      #expect(repetition["rangeOfMotion"] as? Double ?? 0 > 0.3)
      #expect(repetition["symmetry"] as? Double ?? 0 > 0.9)
    }
    let series = try #require(report["series"] as? [[String: Any]])
    #expect(series.first?["count"] as? Int == 0)
    #expect(series.last?["count"] as? Int == count)
    let tempo = report["tempo"] as? Double ?? 0
    #expect(abs(tempo - 50) < 5)
  }

  @Test("the table, CSV and several files")
  func forms() throws {
    let folder = try TemporaryFolder()
    let first = try waving("first.jsonl", in: folder)
    let second = try waving("second.jsonl", in: folder, period: 2, cycles: 5)
    let table = try Tool.run("count", first, second)
    #expect(table.output.contains("first.jsonl"))
    #expect(table.output.contains("second.jsonl"))
    #expect(table.output.contains("repetitions, "))
    let csv = try Tool.run("count", first, "--format", "csv", "--method", "signal")
    let lines = csv.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("video,repetition,start,end,") == true)
    #expect((10...12).contains(lines.count))
    let lined = try Tool.run("count", first, second, "--format", "jsonl")
    #expect(lined.output.split(separator: "\n").count == 2)
  }

  @Test("the help has an example, and errors are reported")
  func mistakes() throws {
    #expect(try Tool.run("count", "--help").output.contains("kinema count workout.mp4"))
    #expect(try Tool.run("count").status == 64)
    #expect(try Tool.run("count", "nowhere.mp4").status == 66)
    let folder = try TemporaryFolder()
    let poses = try waving("waves.jsonl", in: folder)
    #expect(try Tool.run("count", poses, "--method", "guessing").status == 64)
    #expect(try Tool.run("count", poses, "--confidence", "0.5").status == 64)
  }

  @Test("a synthetic video is counted and annotated")
  func annotation() throws {
    let folder = try TemporaryFolder()
    let video = folder.path("jacks.mp4")
    let made = try Tool.run(
      "synth", "--output", video, "--actions", "jumping_jacks", "--repetitions", "6", "--size",
      "480x270", "--fps", "15")
    try #require(made.status == 0, "\(made.errors)")
    let result = try Tool.run(
      "count", video, "--format", "json", "--annotate", folder.path("counted.mp4"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.names.contains("counted.mp4"))
    let count = try Tool.json(result.output)["count"] as? Int ?? 0
    #expect(abs(count - 6) <= 1)
  }

  @Test("with the built-in model each action is counted for itself, and other actions not at all")
  func builtInModel() throws {
    let folder = try TemporaryFolder()
    let poses = folder.path("poses.npz")
    #expect(
      try Tool.run(
        "synth", "--actions", "walking,jumping_jacks,squats", "--repetitions", "8", "--poses", poses
      ).status == 0)
    let result = try Tool.run("count", poses, "--model", "Exercise", "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let counts = try #require(try Tool.json(result.output)["counts"] as? [String: Int])
    #expect(abs((counts["jumping_jacks"] ?? 0) - 8) <= 1)
    #expect(abs((counts["squats"] ?? 0) - 8) <= 1)
    #expect(counts["other_action"] == nil)
    let repetitions = try #require(
      try Tool.json(result.output)["repetitions"] as? [[String: Any]])
    for repetition in repetitions {
      #expect((0.3...1).contains(repetition["confidence"] as? Double ?? 0))
    }
    let table = try Tool.run("count", poses, "--model", "Exercise").output
    #expect(table.contains("likeness"))
  }

  @Test("the report is one page for one file and for many, and needs the name of one")
  func report() throws {
    let folder = try TemporaryFolder()
    let first = try waving("first.jsonl", in: folder)
    let second = try waving("second.jsonl", in: folder, period: 2, cycles: 5)
    let page = folder.path("report.html")
    #expect(try Tool.run("count", first, "--report", page).status == 0)
    let one = try String(contentsOfFile: page, encoding: .utf8)
    #expect(one.contains("<h1>first.jsonl</h1>"))
    #expect(one.contains("class=\"periodicity\""))
    #expect(try Tool.run("count", first, second, "--report", page).status == 0)
    let both = try String(contentsOfFile: page, encoding: .utf8)
    #expect(both.contains("<h1>2 files</h1>") && both.contains("second.jsonl"))
    #expect(try Tool.run("count", first, "--report", folder.path("report.pdf")).status == 64)
    let table = folder.url("counts.csv")
    try Data("file,label,count\nfirst.jsonl,waves,10\nsecond.jsonl,waves,5\n".utf8).write(to: table)
    let result = try Tool.run("evaluate", "--counts", table.path, "--report", page)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("<h2>Errors</h2>"))
  }
}
