import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// A classifier of single hand poses, from folders of pictures to its evaluation.
@Suite(
  "Training on pictures of hands", .serialized,
  .enabled(if: SharedData.isPresent, SharedData.reason))
struct HandTrainingTests {
  /// The clip of each sign, when it is shown, and the part of the picture with the hands.
  private static let signs = [
    (label: "book", clip: "intel_asl_book.mkv", start: 0.7, seconds: 2.2, crop: "300:240:150:80"),
    (label: "no", clip: "intel_asl_no.mkv", start: 0.8, seconds: 0.9, crop: "300:240:60:80"),
  ]

  /// Every second frame of each sign to learn from, the others to test, as pictures in folders of labels.
  private static let data: TemporaryFolder? = {
    // Tests say what is missing.
    guard let folder = try? TemporaryFolder() else { return nil }
    for (label, clip, start, seconds, crop) in signs {
      for (set, remainder) in [("train", 0), ("test", 1)] {
        let place = folder.url("\(set)/\(label)")
        let filter = "select='eq(mod(n,2),\(remainder))',crop=\(crop),scale=2*iw:-1"
        // As above.
        try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        _ = try? Command.run(
          "ffmpeg",
          [
            "-v", "error", "-nostdin", "-y", "-ss", "\(start)", "-t", "\(seconds)", "-i",
            SharedData.url("clips/\(clip)").path, "-vf", filter, "-vsync", "0",
            place.path + (set == "train" ? "/%02d.jpg" : "/%02d.png"),
          ])
      }
    }
    return folder
  }()

  @Test(
    "pictures in folders of labels become a model of one frame, which classifies other pictures")
  func wholeWay() throws {
    let data = try #require(Self.data)
    let folder = try TemporaryFolder()
    let model = folder.path("Signs.mlmodel")
    let training = try Tool.run(
      "train", data.path("train"), "--hands", "--output", model, "--cache", folder.path("cache"),
      "--format", "json")
    #expect(training.status == 0, "\(training.errors)")
    let report = try Tool.json(training.output)
    #expect(report["windowSize"] as? Int == 1)
    #expect(report["labels"] as? [String] == ["book", "no"])
    #expect(training.errors.contains("pictures") && !training.errors.contains("seconds"))
    let classifier = try ActionClassifier(contentsOf: URL(filePath: model))
    #expect(classifier.windowSize == 1 && classifier.joints == JointKey.hand)
    let kind = classifier.metadata.userDefined["com.apple.coreml.model.preview.type"]
    #expect(kind == "handPoseClassifier")

    let evaluation = try Tool.run(
      "evaluate", model, data.path("test"), "--cache", folder.path("cache"), "--format", "json",
      "--report", folder.path("report.html"))
    #expect(evaluation.status == 0, "\(evaluation.errors)")
    let figures = try Tool.json(evaluation.output)
    #expect((figures["accuracy"] as? Double ?? 0) >= 0.85)
    #expect(figures["timelines"] == nil || figures["timelines"] is NSNull)
    let page = try String(contentsOf: folder.url("report.html"), encoding: .utf8)
    #expect(page.contains("Signs.mlmodel"))

    let picture = data.path("test/no/05.png")
    let classification = try Tool.run("classify", picture, "--model", model, "--format", "json")
    #expect(classification.status == 0, "\(classification.errors)")
    let windows = try #require(
      try Tool.json(classification.output)["windows"] as? [[String: Any]])
    #expect(windows.contains { $0["label"] as? String == "no" })
    let table = try Tool.run("evaluate", model, data.path("test"), "--cache", folder.path("cache"))
    #expect(table.output.contains("single pose") && !table.output.contains("over time"))
  }

  @Test("folders of sets, and a folder of a person, are those of videos")
  func sets() throws {
    let data = try #require(Self.data)
    let folder = try TemporaryFolder()
    let result = try Tool.run(
      "train", data.url.path, "--hands", "--check", "--cache", folder.path("cache"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("test pictures"))
  }

  @Test("what pictures do not go with is refused in a sentence")
  func refusals() throws {
    let data = try #require(Self.data)
    let folder = try TemporaryFolder()
    let train = data.path("train")
    let cases: [([String], Int32, String)] = [
      ([train, "--output", folder.path("a.mlmodel")], 65, "--hands"),
      ([train, "--hands", "--check", "--window", "30"], 64, "leave --window"),
      ([train, "--hands", "--check", "--algorithm", "tcn"], 64, "--algorithm posture"),
      ([train, "--hands", "--check", "--from", "Exercise"], 64, "a model of hands only"),
    ]
    for (arguments, status, sentence) in cases {
      let result = try Tool.run(["train"] + arguments + ["--cache", folder.path("cache")])
      #expect(result.status == status, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(sentence), "\(result.errors)")
    }
    // Pictures beside videos.
    let mixed = folder.url("mixed/book")
    try FileManager.default.createDirectory(at: mixed, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: data.url("train/book/05.jpg"), to: mixed.appending(path: "1.jpg"))
    try FileManager.default.copyItem(
      at: SharedData.url("clips/intel_asl_book.mkv"), to: mixed.appending(path: "2.mkv"))
    let result = try Tool.run("train", folder.path("mixed"), "--hands", "--check")
    #expect(result.status == 65)
    #expect(
      result.errors.contains("has pictures") && result.errors.contains("videos or pose files"))
  }

  @Test("a damaged picture is an error with its name, a HEIC one too")
  func damagedPictures() throws {
    let data = try #require(Self.data)
    let folder = try TemporaryFolder()
    for label in ["book", "no"] {
      let place = folder.url("pictures/\(label)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: data.url("train/\(label)/05.jpg"), to: place.appending(path: "1.jpg"))
    }
    let bad = folder.url("pictures/no/bad.png")
    try Data("no picture".utf8).write(to: bad)
    let result = try Tool.run("train", folder.path("pictures"), "--hands", "--check")
    #expect(result.status == 65 && result.errors.contains("bad.png"), "\(result.errors)")
    try FileManager.default.removeItem(at: bad)
    try Data([0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8)).write(
      to: folder.url("pictures/no/photo.heic"))
    let heic = try Tool.run("train", folder.path("pictures"), "--hands", "--check")
    #expect(heic.status == 65 && heic.errors.contains("photo.heic"), "\(heic.errors)")
    #expect(heic.errors.contains("HEIC"), "\(heic.errors)")
  }
}
