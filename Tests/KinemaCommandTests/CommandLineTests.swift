import Foundation
import KinemaTestSupport
import KinemaVideo
import KinemaVision
import Testing

@Suite("The command line")
struct CommandLineTests {
  @Test("the version is printed")
  func version() throws {
    let result = try Tool.run("--version")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("kinema "))
    #expect(result.errors.isEmpty)
  }

  @Test("every command is explained with examples")
  func help() throws {
    let overview = try Tool.run("--help")
    #expect(overview.status == 0)
    for command in [
      "live", "pose", "extract", "classify", "count", "train", "evaluate", "model info",
      "model convert",
      "model make", "synth", "bench", "doctor",
    ] {
      #expect(overview.output.contains("  \(command) "))
      let words = command.split(separator: " ").map(String.init)
      let help = try Tool.run(words + ["--help"])
      #expect(help.status == 0)
      #expect(help.output.contains("Usage: kinema \(command) "))
      #expect(help.output.contains("Examples:\n  kinema \(command)"))
      #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
  }

  @Test("-V, -h and -o are short for --version, --help and --output")
  func shortNames() throws {
    #expect(try Tool.run("-V").output == Tool.run("--version").output)
    let help = try Tool.run("pose", "-h")
    #expect(try help.output == Tool.run("pose", "--help").output)
    #expect(help.output.contains("-o, --output PATH") && help.output.contains("-h, --help"))
    let bare = try Tool.run("pose", "x.mp4", "-o")
    #expect(bare.status == 64 && bare.errors.contains("-o needs a value: -o PATH"))
    #expect(try Tool.run("doctor", "-o", "x").errors.contains("There is no option -o"))
  }

  @Test(
    "a slip of the hand ends with status 64 and one line that helps",
    arguments: [
      (["clasify"], "did you mean kinema classify?"),
      (["calssify"], "did you mean kinema classify?"),
      (["eval"], "did you mean kinema evaluate?"),
      (["model", "inof", "x"], "did you mean kinema model info?"),
      (["train", "x", "--tets", "y"], "did you mean --test?"),
      (["train", "x", "--OUT", "y"], "did you mean --output?"),
      (["pose"], "Name at least one file"),
      (["pose", "x.mp4", "--ouput", "y"], "did you mean --output?"),
      (["classify"], "Name at least one file"),
      (["pose", "/dev/null", "--persons", "many"], "integer"),
      (["pose", "/dev/null", "--format", "xml"], "table, jsonl, csv"),
      (["synth"], "--output"),
      (["synth", "--output", "x.mp4", "--actions", "squat"], "did you mean squats?"),
      (["synth", "--output", "x.mp4", "--actions", "empty_room"], "empty_room shows no person"),
      (["extract", "x", "--output", "s3://b/out"], "s3://b/out is an address"),
      (["pose", "x.mp4", "--output", "gs://b/x.npz"], "gs://b/x.npz is an address"),
      (["synth", "--output", "x.mp4", "--size", "7x9"], "even numbers"),
      (["synth", "--output", "x.avi"], ".mp4"),
    ])
  func usage(arguments: [String], hint: String) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(hint))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("what is not there ends with status 66, what is no video with 65")
  func badInputs() throws {
    let folder = try TemporaryFolder()
    try Data("This is a letter.".utf8).write(to: folder.url("letter.mp4"))
    try Data().write(to: folder.url("empty.mp4"))
    let missing = try Tool.run("pose", folder.path("missing.mp4"))
    #expect(missing.status == 66)
    #expect(missing.errors.contains("missing.mp4"))
    for name in ["letter.mp4", "empty.mp4"] {
      let result = try Tool.run("pose", folder.path(name), "--output", folder.path("poses.npz"))
      #expect(result.status == 65)
      #expect(result.errors.contains(name))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(folder.names == ["empty.mp4", "letter.mp4"])
  }

  @Test("a model of an unknown name is an error that lists the built-in ones")
  func unknownModel() throws {
    for (name, nearest) in [("exercise", "Exercise"), ("Wrokout", "Workout"), ("x", "Exercise")] {
      for command in ["classify /dev/null --model", "model info"] {
        let result = try Tool.run(
          command.split(separator: " ").map(String.init) + [name])
        #expect(result.status == 66)
        #expect(
          result.errors.contains(
            "There is no model \(name): Kinema has Exercise, Workout, Motions, Repetitions, Depth; "
              + "take \(nearest)"), "\(result.errors)")
      }
    }
  }

  @Test("a file of another kind than expected is named as what it is")
  func kinds() throws {
    let folder = try TemporaryFolder()
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    let openPose = "{\"version\":1.3,\"people\":[{\"pose_keypoints_2d\":[0,0,0]}]}"
    try Data(pointer.utf8).write(to: folder.url("a.npz"))
    for (name, text, command, expected) in [
      ("a.mp4", pointer, "pose", "a Git LFS pointer"),
      ("b.npz", pointer, "count", "a Git LFS pointer"),
      ("c.jsonl", pointer, "count", "a Git LFS pointer"),
      ("d.csv", pointer, "train --check", "a Git LFS pointer"),
      ("e.mlmodel", pointer, "model info", "a Git LFS pointer"),
      ("g.json", openPose, "train --check", "a pose file of OpenPose"),
      ("h.bvh", "HIERARCHY\nROOT Hips\n", "pose", "a BVH motion capture file"),
      ("i.eaf", "<?xml?><ANNOTATION_DOCUMENT>", "train --check", "an ELAN annotation file"),
    ] {
      try Data(text.utf8).write(to: folder.url(name))
      let result = try Tool.run(
        command.split(separator: " ").map(String.init) + [folder.path(name)])
      #expect(result.status == 65, "\(name)")
      #expect(
        result.errors.contains("\(name) is \(expected), not a"), "\(name): \(result.errors)")
    }
  }

  @Test("where a part is missing, the doctor says which and the tool ends with status 69")
  func missingParts() throws {
    let empty = try TemporaryFolder()
    let home = ["KINEMA_HOME": empty.path("")]
    let doctor = try Tool.run(["doctor"], environment: home)
    #expect(doctor.status == 69)
    #expect(doctor.output.contains("libopenvino_c.so"))
    #expect(doctor.output.contains("missing"))
    let folder = try TemporaryFolder()
    try Tool.run("synth", "--output", folder.path("a.mp4"), "--actions", "standing")
    let pose = try Tool.run(["pose", folder.path("a.mp4")], environment: home)
    #expect(pose.status == 69)
    #expect(pose.errors.contains("kinema doctor"))
  }

  @Test("the doctor reads every file that comes with Kinema, and says which is damaged")
  func damagedParts() throws {
    let resources = try FileManager.default.contentsOfDirectory(
      at: SharedData.packageRoot.appending(path: "Resources"), includingPropertiesForKeys: nil)
    // The pages are a folder; types and their project are for whoever checks the pages.
    let files = Set(resources.map(\.lastPathComponent)).subtracting([
      "Web", "Types", "jsconfig.json",
    ])
    let home = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: home.url("share/kinema"), withIntermediateDirectories: true)
    for file in files { try Data("{".utf8).write(to: home.url("share/kinema/\(file)")) }
    let result = try Tool.run(
      ["doctor", "--format", "json"], environment: ["KINEMA_HOME": home.path("")])
    #expect(result.status == 69)
    let parts = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    let damaged = parts.filter { $0["isFound"] as? Bool == false && $0["path"] != nil }
    #expect(Set(damaged.compactMap { $0["name"] as? String }) == files)
    #expect(damaged.allSatisfy { $0["remedy"] as? String == "install Kinema again" })
    #expect(parts.contains { $0["name"] as? String == "web" && $0["isFound"] as? Bool == true })
  }

  @Test("the doctor finds everything where the set-up was done")
  func doctor() throws {
    let result = try Tool.run("doctor")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(!result.output.contains("missing"))
    let devices = result.output.split(separator: "\n").filter { $0.hasPrefix("  used ") }
    #expect(devices.count == 1 && devices.first?.contains(" CPU ") == true, "\(result.output)")
    let parts = try JSONSerialization.jsonObject(
      with: Data(Tool.run("doctor", "--format", "json").output.utf8))
    let used = try #require(parts as? [[String: Any]]).filter { $0["isUsed"] as? Bool == true }
    #expect(used.compactMap { $0["name"] as? String } == ["CPU"])
    #expect((used.first?["fullName"] as? String)?.isEmpty == false)
  }

  @Test(
    "results that a full disk loses end with status 74 and a sentence",
    arguments: ["--version", "--help", "count POSES", "count POSES --format json"])
  func fullDisk(command: String) throws {
    let folder = try TemporaryFolder()
    let poses = folder.url("poses.jsonl")
    try Data("{\"frame\":0,\"time\":0,\"persons\":[]}\n".utf8).write(to: poses)
    let result = try Tool.runOnFullDisk(
      command.replacing("POSES", with: poses.path).split(separator: " ").map(String.init))
    #expect(result.status == 74)
    #expect(result.errors.contains("Standard output cannot be written (No space left on device)"))
  }

  @Test("a folder that is missing is reported before the work begins")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    // Were the video read first, the status would be 65.
    try Data("no video".utf8).write(to: folder.url("a.mp4"))
    for option in ["--output", "--annotate"] {
      let end = option == "--output" ? "npz" : "mp4"
      let result = try Tool.run(
        "pose", folder.path("a.mp4"), option, folder.path("missing/a.\(end)"))
      #expect(result.status == 74)
      #expect(result.errors.contains("create the folder \(folder.path("missing")) first"))
    }
  }

  @Test("a device that is not there is a sentence and the CPU; one that there cannot be is refused")
  func devices() throws {
    let folder = try TemporaryFolder()
    let video = folder.path("a.mp4")
    try Tool.run("synth", "--output", video, "--actions", "standing")
    let refused = try Tool.run("pose", video, "--device", "XPU")
    #expect(refused.status == 64 && refused.errors.contains("CPU, GPU, NPU, AUTO"))
    guard VisionRuntime.located().usedDevice(.npu) == .cpu else { return }
    let usual = try Tool.run("pose", video, "--no-cache", "--format", "jsonl")
    #expect(usual.status == 0 && !usual.errors.contains("OpenVINO"), "\(usual.errors)")
    let other = try Tool.run("pose", video, "--no-cache", "--format", "jsonl", "--device", "npu")
    #expect(other.status == 0 && other.output == usual.output && !other.output.isEmpty)
    #expect(
      other.errors.contains("kinema: OpenVINO finds no NPU here, only CPU"), "\(other.errors)")
    let doctor = try Tool.run("doctor", "--device", "NPU").output
    #expect(doctor.contains("absent  NPU"), "\(doctor)")
  }

  @Test("poses are found in a HEIC picture as in the PNG that it was made of, and drawn on it")
  func heic() throws {
    let folder = try TemporaryFolder()
    try Tool.run("synth", "--output", folder.path("a.mp4"), "--actions", "standing")
    let source = try folder.make("a.png", "-i", folder.path("a.mp4"), "-frames:v", "1")
    let frame = try Frame(contentsOf: source)
    var picture = TestHEIC()
    picture.tiles = (columns: 2, rows: 2)
    try picture.write(source, size: (frame.width, frame.height), to: folder.url("a.heic"))
    let result = try Tool.run(
      "pose", folder.path("a.heic"), "--format", "jsonl", "--annotate", folder.path("drawn.png"))
    if HEICLibrary.shared == nil {
      #expect(result.status == 65 && result.errors.contains("apt install libheif1"))
      return
    }
    #expect(result.status == 0, "\(result.errors)")
    let persons = try Tool.json(result.output)["persons"] as? [Any]
    let expected = try Tool.json(Tool.run("pose", source.path, "--format", "jsonl").output)
    #expect(persons?.isEmpty == false)
    #expect(persons?.count == (expected["persons"] as? [Any])?.count)
    let drawn = try Frame(contentsOf: folder.url("drawn.png"))
    #expect((drawn.width, drawn.height) == (frame.width, frame.height))
  }
}
