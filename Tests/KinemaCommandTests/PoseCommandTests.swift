import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// Runs a Python program; gives what it printed.
private func python(_ executable: String, _ program: String, _ arguments: [String]) throws -> String
{
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [executable, "-c", program] + arguments
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitForEnd()
  return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : "failed"
}

/// A Python with the packages that users open poses with, where `KINEMA_PYTHON` names one.
private let pythonWithPackages: String? = {
  guard let name = ProcessInfo.processInfo.environment["KINEMA_PYTHON"] else { return nil }
  let check = try? python(name, "import numpy, pandas, pycocotools.coco; print(1)", [])
  return check == "1\n" ? name : nil
}()

@Suite("kinema pose", .serialized)
struct PoseCommandTests {
  /// 22 seconds of two synthetic people at ten frames a second, with a key frame every two seconds.
  private static let folder: TemporaryFolder = {
    do {
      let folder = try TemporaryFolder()
      try Tool.run(
        "synth", "--output", folder.path("short.mp4"), "--actions", "jumping_jacks", "--people",
        "2", "--repetitions", "4", "--fps", "10", "--size", "480x270")
      try ffmpeg(
        ["-stream_loop", "-1", "-i", folder.path("short.mp4"), "-t", "22", "-c:v", "libx264"]
          + ["-g", "20", "-preset", "ultrafast", folder.path("long.mp4")])
      return folder
    } catch {
      preconditionFailure("There is no folder for temporary files: \(error)")
    }
  }()

  private static func ffmpeg(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments
    try process.run()
    process.waitForEnd()
  }

  @Test("every landmark is written where it is asked for, and nowhere else")
  func landmarks() throws {
    let folder = try TemporaryFolder()
    let short = Self.folder.path("short.mp4")
    for ending in ["npz", "jsonl", "csv"] {
      let path = folder.path("all.\(ending)")
      let result = try Tool.run("pose", short, "--landmarks", "all", "--output", path)
      #expect(result.status == 0, "\(result.errors)")
    }
    let poses = try PoseSequence(contentsOf: folder.url("all.npz"))
    #expect(
      try PoseSequence(contentsOf: folder.url("all.jsonl")).frames.count == poses.frames.count)
    let pose = try #require(poses.frames.last?.poses.first)
    let heel = try #require(pose.landmark(.leftHeel))
    let ankle = try #require(pose.keypoints[.leftAnkle])
    #expect(heel.position.y < ankle.position.y && heel.world.y < -0.5)
    let rows = try String(contentsOf: folder.url("all.csv"), encoding: .utf8).split(separator: "\n")
    #expect(rows[0].hasPrefix("frame,time,person,landmark,x,y,z,visibility,presence,worldX"))
    #expect((rows.count - 1) % 33 == 0 && rows.count > 33 * poses.frames.count / 2)
    let plain = try Tool.run("pose", short, "--format", "jsonl")
    #expect(!plain.output.contains("andmarks"))
    let refused = try Tool.run("pose", short, "--landmarks", "all", "--format", "coco")
    #expect(refused.status == 64 && refused.errors.contains(".npz, .jsonl or .csv"))
    #expect(try Tool.run("pose", short, "--landmarks", "all", "--hands").status == 64)
  }

  @Test("the name of one file is refused for several inputs, and a folder's taken")
  func severalInputs() throws {
    let folder = try TemporaryFolder()
    let inputs = [Self.folder.path("short.mp4"), Self.folder.path("long.mp4")]
    for (option, name) in [("--output", "a.npz"), ("--annotate", "a.mp4")] {
      let refused = try Tool.run(["pose"] + inputs + [option, folder.path(name)])
      #expect(refused.status == 64 && refused.errors.contains("for 2 inputs name a folder"))
      #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }
    #expect(try Tool.run(["pose"] + inputs + ["-o", folder.path("poses")]).status == 0)
    for name in ["short", "long"] {
      #expect(FileManager.default.fileExists(atPath: folder.path("poses/\(name).npz")))
    }
  }

  @Test("a long file has the same poses with one thread and with three, and two people in it")
  func threads() throws {
    let folder = try TemporaryFolder()
    let long = Self.folder.path("long.mp4")
    // The second run fills the cache, for what is classified.
    for (count, options) in [("1", ["--no-cache"]), ("3", [])] {
      let result = try Tool.run(
        ["pose", long, "--threads", count, "--output", folder.path("\(count).npz")] + options)
      #expect(result.status == 0, "\(result.errors)")
    }
    let one = try Data(contentsOf: folder.url("1.npz"))
    #expect(try one == Data(contentsOf: folder.url("3.npz")))
    let poses = try PoseSequence(contentsOf: folder.url("1.npz"))
    #expect(poses.frames.count == 220)
    #expect(Set(poses.frames.flatMap(\.poses).compactMap(\.personID)) == [1, 2])
    #expect(poses.frames.count { $0.poses.count == 2 } > 213)
    let drawn = try Tool.run(
      "pose", long, "--no-cache", "--annotate", folder.path("a.mp4"), "--output",
      folder.path("a.npz"))
    #expect(drawn.status == 0)
    #expect(try one == Data(contentsOf: folder.url("a.npz")))
    func windows(_ path: String) throws -> NSArray? {
      let result = try Tool.run("classify", path, "--format", "json")
      return try Tool.json(result.output)["windows"] as? NSArray
    }
    let classified = try #require(try windows(long))
    #expect(classified.count > 10)
    #expect(try windows(folder.path("1.npz")) == classified)
  }

  @Test("poses from the cache are those without it, in every command and with pictures")
  func cache() throws {
    let folder = try TemporaryFolder()
    let short = Self.folder.path("short.mp4")
    let caching = ["XDG_CACHE_HOME": folder.path("cache")]
    func run(_ arguments: [String], _ environment: [String: String]) throws -> String {
      let result = try Tool.run(arguments, environment: environment)
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }
    for arguments in [
      ["pose", short, "--format", "jsonl"], ["pose", short, "--format", "jsonl", "--rate", "5"],
      ["pose", short, "--format", "coco"], ["classify", short, "--format", "json"],
      ["count", short, "--format", "json"],
    ] {
      let plain = try run(arguments + ["--no-cache"], [:])
      #expect(try run(arguments, caching) == plain)
      #expect(try run(arguments, caching) == plain)
    }
    // Without networks only the cache can give poses.
    let lacking = caching.merging(["KINEMA_HOME": folder.path("nowhere")]) { $1 }
    let drawn = try Tool.run(
      "pose", short, "--format", "jsonl", "--annotate", folder.path("a.mp4"), environment: lacking)
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(try drawn.output == run(["pose", short, "--format", "jsonl"], [:]))
    #expect(FileManager.default.fileExists(atPath: folder.path("a.mp4")))
    let refused = try Tool.run("pose", short, "--no-cache", environment: lacking)
    #expect(refused.status == 69)
  }

  @Test("COCO's file has the joints of the others in pixels, without the neck")
  func coco() throws {
    let folder = try TemporaryFolder()
    let short = Self.folder.path("short.mp4")
    let lines = try Tool.run("pose", short, "--format", "jsonl").output.split(separator: "\n")
    let printed = try Tool.run("pose", short, "--format", "coco").output
    #expect(try Tool.run("pose", short, "--output", folder.path("p.json")).status == 0)
    #expect(try String(contentsOf: folder.url("p.json"), encoding: .utf8) == printed)
    let coco = try Tool.json(printed)
    let images = try #require(coco["images"] as? [[String: Any]])
    let annotations = try #require(coco["annotations"] as? [[String: Any]])
    let category = try #require((coco["categories"] as? [[String: Any]])?.first)
    let names = try #require(category["keypoints"] as? [String])
    #expect(names.count == 17 && names[0] == "nose" && names[16] == "right_ankle")
    #expect(images.count == lines.count)
    #expect(images[3]["frame"] as? Int == 3 && images[3]["width"] as? Int == 480)
    let frame = try Tool.json(String(lines[3]))
    let persons = try #require(frame["persons"] as? [[String: Any]])
    let own = annotations.filter { $0["image_id"] as? Int == 4 }
    #expect(own.count == persons.count && own.count == 2)
    for (annotation, person) in zip(own, persons) {
      let keypoints = try #require(annotation["keypoints"] as? [Double])
      let joints = try #require(person["joints"] as? [String: [Double]])
      let wrist = try #require(joints["leftWrist"])
      #expect(annotation["track_id"] as? Int == person["id"] as? Int)
      let seen = keypoints[9 * 3 + 2]
      #expect(seen == (wrist[2] >= 0.2 ? 2 : 1))
      #expect(abs(keypoints[9 * 3] - wrist[0] * 480) < 0.01)
      #expect(abs(keypoints[9 * 3 + 1] - (1 - wrist[1]) * 270) < 0.01)
      let box = try #require(annotation["bbox"] as? [Double])
      #expect(box[1] + box[3] <= 271 && box[2] > 10 && box[3] > 50)
    }
  }

  @Test("pictures of a folder make one file for COCO, or a file each")
  func pictures() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("photos"), withIntermediateDirectories: true)
    try Self.ffmpeg(
      ["-i", Self.folder.path("short.mp4"), "-vf", "fps=2", "-frames:v", "3"]
        + [folder.path("photos/%d.png")])
    let result = try Tool.run(
      "pose", folder.path("photos"), "--format", "coco", "--output", folder.path("all.json"))
    #expect(result.status == 0, "\(result.errors)")
    let coco = try Tool.json(String(contentsOf: folder.url("all.json"), encoding: .utf8))
    let images = try #require(coco["images"] as? [[String: Any]])
    #expect(images.compactMap { $0["file_name"] as? String } == ["1.png", "2.png", "3.png"])
    #expect((coco["annotations"] as? [Any])?.count == 6)
    let each = try Tool.run(
      "pose", folder.path("photos"), "--format", "coco", "--output", folder.path("each"))
    #expect(each.status == 0, "\(each.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("each")).sorted()
        == ["1.json", "2.json", "3.json"])
  }

  @Test("a pipe on standard input is read to its end, and no frame is lost")
  func standardInput() throws {
    let folder = try TemporaryFolder()
    let stream = folder.path("short.ts")
    try Self.ffmpeg(["-i", Self.folder.path("short.mp4"), "-c", "copy", stream])
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = [
      "-c", "cat \"$1\" | \"$2\" pose - --format jsonl > \"$3\"", "sh", stream,
      Tool.executable.path, folder.path("out.jsonl"),
    ]
    try shell.run()
    shell.waitForEnd()
    #expect(shell.terminationStatus == 0)
    let piped = try PoseSequence(contentsOf: folder.url("out.jsonl"))
    let direct = try Tool.run(
      "pose", Self.folder.path("short.mp4"), "--output", folder.path("direct.npz"))
    #expect(direct.status == 0)
    let poses = try PoseSequence(contentsOf: folder.url("direct.npz"))
    #expect(piped.frames.count == poses.frames.count)
    #expect(zip(piped.frames, poses.frames).allSatisfy { abs($0.time - $1.time) < 0.001 })
  }

  @Test("a live source ends after the given seconds, or at Ctrl-C, and poses are written")
  func liveSource() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(
      "pose", "pattern:testsrc2=size=320x240:rate=10", "--seconds", "1", "--output",
      folder.path("second.csv"), "--annotate", folder.path("second.mp4"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.names == ["second.csv", "second.mp4"])
    let process = try Tool.start([
      "pose", "pattern:testsrc2=size=320x240:rate=10", "--output", folder.path("ended.npz"),
      "--annotate", folder.path("ended.mp4"),
    ])
    // The annotated copy is begun with the first frame.
    #expect(eventually { folder.hasBegun("ended.mp4") })
    process.interrupt()
    process.waitForEnd()
    #expect(process.terminationStatus == 0)
    #expect(folder.names == ["ended.mp4", "ended.npz", "second.csv", "second.mp4"])
    #expect(try PoseSequence(contentsOf: folder.url("ended.npz")).frames.count > 0)
  }

  @Test("Ctrl-C leaves the files that are done and no partial files")
  func interruption() throws {
    let folder = try TemporaryFolder()
    // Hours, so that the work is not done before the signal comes, however busy the machine is.
    for name in ["a.mp4", "c.mp4"] {
      try Self.ffmpeg(
        ["-stream_loop", "-1", "-i", Self.folder.path("long.mp4"), "-t", "7200", "-c", "copy"]
          + [folder.path(name)])
    }
    let process = try Tool.start([
      "pose", Self.folder.path("short.mp4"), folder.path("a.mp4"), folder.path("c.mp4"),
      "--output", folder.path("poses"), "--no-cache",
    ])
    func written() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("poses"))) ?? []).sorted()
    }
    #expect(eventually { written() == ["short.npz"] })
    process.interrupt()
    process.waitForEnd()
    #expect(process.terminationStatus == 130)
    #expect(written() == ["short.npz"])
  }

  @Test("several files are reported in the order given")
  func order() throws {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for (name, seconds) in [("z.mp4", "4"), ("a.mp4", "0.5"), ("m.mp4", "1")] {
      paths.append(folder.path(name))
      try Self.ffmpeg(
        ["-i", Self.folder.path("short.mp4"), "-t", seconds, "-c:v", "libx264", "-preset"]
          + ["ultrafast", folder.path(name)])
    }
    let result = try Tool.run(["pose"] + paths + ["--threads", "3"])
    let names = result.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ")[0] }
    #expect(names == ["z.mp4", "a.mp4", "m.mp4"])
  }

  @Test(
    "what does not fit together is refused in a sentence",
    arguments: [
      (["a.mp4", "--format", "npz"], "--output"), (["-", "b.mp4"], "pipe"),
      (["pattern:testsrc2", "b.mp4"], "by itself"), (["a.mp4", "--seconds", "3"], "streams"),
      (["pattern:nothing"], "test pattern"), (["gopher://x"], "not supported"),
    ])
  func refusals(arguments: [String], words: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Self.folder.url("short.mp4"), to: folder.url("a.mp4"))
    let result = try Tool.run(
      ["pose"] + arguments.map { $0 == "a.mp4" ? folder.path($0) : $0 })
    #expect(result.status != 0)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test(
    "a Python user opens each format in the line that the help shows",
    .enabled(if: pythonWithPackages != nil, "KINEMA_PYTHON names no Python with pandas"))
  func openedInPython() throws {
    let executable = try #require(pythonWithPackages)
    let folder = try TemporaryFolder()
    let short = Self.folder.path("short.mp4")
    for name in ["people.npz", "people.jsonl", "people.csv", "people.json"] {
      #expect(try Tool.run("pose", short, "--output", folder.path(name)).status == 0)
    }
    let help = try Tool.run("pose", "--help").output
    let lines = help.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    func line(_ start: String) throws -> String {
      try #require(lines.first { $0.hasPrefix(start) })
    }
    let program = """
      import numpy, pandas, pycocotools.coco, os, sys
      os.chdir(sys.argv[1])
      poses = \(try line("numpy.load"))
      frames = \(try line("pandas.read_json"))
      joints = \(try line("pandas.read_csv"))
      coco = \(try line("pycocotools.coco.COCO"))
      print(poses.shape[0] == len(frames) == joints.frame.nunique() == len(coco.imgs))
      print(poses.shape[1:], len(coco.anns) * 18 == len(joints))
      """
    let output = try python(executable, program, [folder.path("")])
    #expect(output.hasSuffix("True\n(2, 3, 18) True\n"), "\(output)")
  }

  @Test("Python's own modules read the formats that are text")
  func openedInPlainPython() throws {
    let folder = try TemporaryFolder()
    let short = Self.folder.path("short.mp4")
    for name in ["people.jsonl", "people.csv", "people.json"] {
      #expect(try Tool.run("pose", short, "--output", folder.path(name)).status == 0)
    }
    let program = """
      import csv, json, os, sys
      os.chdir(sys.argv[1])
      coco = json.load(open("people.json"))
      frames = [json.loads(line) for line in open("people.jsonl")]
      joints = list(csv.DictReader(open("people.csv")))
      people = sum(len(frame["persons"]) for frame in frames)
      print(len(coco["images"]) == len(frames), len(coco["annotations"]) == people)
      print(len(joints) == 18 * people)
      """
    #expect(try python("python3", program, [folder.path("")]) == "True True\nTrue\n")
  }
}
