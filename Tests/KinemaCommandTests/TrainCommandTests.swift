import Foundation
import Kinema
import KinemaSynth
import KinemaTestSupport
import Testing

@Suite("kinema train", .serialized)
struct TrainCommandTests {
  /// Pose files of synthetic people, in a folder for each label.
  private static func makeData(
    in folder: TemporaryFolder, _ motions: [Motion] = [.jumpingJacks, .squats],
    videosPerLabel: Int = 6
  ) throws -> String {
    for motion in motions {
      let place = folder.url("data/\(motion.name)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for index in 0..<videosPerLabel {
        var generator = SeededGenerator(seed: UInt64(index))
        let person = SyntheticPerson.random(using: &generator)
        let session = SyntheticSession(
          [.motion(motion, repetitions: 3)], person: person, seed: generator.next())
        let viewpoint = Viewpoint.framing(session, aspectRatio: 1)
        let frames = session.poses(frameRate: 30, from: viewpoint, aspectRatio: 1)
        try PoseSequence(frames: frames).write(to: place.appending(path: "\(index).npz"))
      }
    }
    return folder.path("data")
  }

  private static func arguments(
    _ data: String, _ folder: TemporaryFolder, model: String = "model.mlmodel",
    iterations: Int = 120
  ) -> [String] {
    [
      "train", data, "--output", folder.path(model), "--iterations", "\(iterations)",
      "--window", "40", "--validation", "0.3", "--checkpoint-every", "0.05",
      "--cache", folder.path("cache"), "--format", "json", "--name", "Test",
    ]
  }

  @Test("labelled poses become a model that classifies them, and a result in JSON")
  func training() throws {
    let folder = try TemporaryFolder()
    let data = try Self.makeData(in: folder)
    let result = try Tool.run(
      Self.arguments(data, folder) + [
        "--author", "Anna", "--license", "MIT", "--description", "Jumps or squats.",
      ])
    #expect(result.status == 0, "\(result.errors)")
    let json = try Tool.json(result.output)
    #expect(json["schema"] as? Int == 1)
    #expect(json["labels"] as? [String] == ["jumping_jacks", "squats"])
    #expect(json["iterations"] as? Int == 120)
    let metrics = try #require(json["metrics"] as? [String: Any])
    #expect((metrics["validationAccuracy"] as? Double ?? 0) >= 0.8)
    let classifier = try ActionClassifier(contentsOf: folder.url("model.mlmodel"))
    #expect(classifier.windowSize == 40)
    #expect(classifier.metadata.author == "Anna")
    #expect(classifier.metadata.license == "MIT")
    #expect(classifier.metadata.shortDescription == "Jumps or squats.")
    let log = try String(contentsOf: folder.url("model.training/training.jsonl"), encoding: .utf8)
    #expect(log.split(separator: "\n").count == 120)
    #expect(result.errors.contains("jumping_jacks"))
  }

  @Test("Ctrl-C saves the training and explains how to resume; the model is the same")
  func interruption() throws {
    let folder = try TemporaryFolder()
    let data = try Self.makeData(in: folder)
    let first = try Tool.run(Self.arguments(data, folder, model: "whole.mlmodel"))
    #expect(first.status == 0, "\(first.errors)")
    let whole = try Data(contentsOf: folder.url("whole.mlmodel"))
    let messages = folder.url("messages")
    try Data().write(to: messages)
    let process = try Tool.start(
      Self.arguments(data, folder), errors: try FileHandle(forWritingTo: messages))
    let log = folder.url("model.training/training.jsonl")
    eventually(every: 0.002) {
      let text = try? String(contentsOf: log, encoding: .utf8)
      return text?.contains("\n") == true || !process.isRunning
    }
    process.interrupt()
    process.waitForEnd()
    #expect(process.terminationStatus == 130)
    let text = try String(contentsOf: messages, encoding: .utf8)
    #expect(text.contains("run the same command to resume"))
    #expect(!folder.names.contains("model.mlmodel"))
    let result = try Tool.run(Self.arguments(data, folder))
    #expect(result.errors.contains("resuming after iteration"))
    #expect(try Data(contentsOf: folder.url("model.mlmodel")) == whole)
    let iterations = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map {
      try Tool.json(String($0))["iteration"] as? Int
    }
    #expect(iterations == Array(1...120))
    // Finished: the same command gives the same model again; --restart starts again.
    try FileManager.default.removeItem(at: folder.url("model.mlmodel"))
    let again = try Tool.run(Self.arguments(data, folder))
    #expect(again.errors.contains("has this training, complete"))
    #expect(try Data(contentsOf: folder.url("model.mlmodel")) == whole)
    let other = try Tool.run(Self.arguments(data, folder, iterations: 3))
    #expect(other.status == 65 && other.errors.contains("--restart"))
    let restarted = try Tool.run(Self.arguments(data, folder, iterations: 3) + ["--restart"])
    #expect(restarted.status == 0)
  }

  @Test("what cannot be trained is refused with what to do, before anything is written")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let data = try Self.makeData(in: folder, [.squats], videosPerLabel: 2)
    func status(_ arguments: [String], saying text: String) throws -> Int32 {
      let result = try Tool.run(arguments)
      #expect(result.errors.contains(text), "\(result.errors)")
      return result.status
    }
    #expect(try status(["train"], saying: "Name one folder") == 64)
    #expect(try status(["train", data], saying: "--output") == 64)
    #expect(try status(["train", data, "--output", "a.txt"], saying: ".mlmodel") == 64)
    #expect(
      try status(Self.arguments(data, folder) + ["--duration", "2"], saying: "--window") == 64)
    #expect(try status(Self.arguments(data, folder), saying: "class") == 65)
    #expect(try status(Self.arguments(folder.path("nothing"), folder), saying: "nothing") == 66)
    #expect(!folder.names.contains("model.mlmodel"))
    let check = try Tool.run("train", data, "--check", "--cache", folder.path("cache"))
    #expect(check.status == 65)
  }
}
