import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// Exact poses of synthetic people, and the built-in model.
@Suite("Evaluating and converting", .serialized)
struct EvaluateCommandTests {
  private static let data: TemporaryFolder? = {
    guard let folder = try? TemporaryFolder() else { return nil }
    guard let model = try? BuiltInModel.exercise.url,
      (try? FileManager.default.copyItem(at: model, to: folder.url("exercise.mlmodel"))) != nil
    else { return nil }
    for (label, seed) in [("squats", 3), ("jumping_jacks", 4), ("lunges", 5)] {
      try? FileManager.default.createDirectory(
        at: folder.url("data/\(label)"), withIntermediateDirectories: true)
      _ = try? Tool.run(
        "synth", "--actions", label, "--repetitions", "3", "--seed", "\(seed)", "--poses",
        folder.path("data/\(label)/a.npz"))
    }
    return folder
  }()

  private func folder() throws -> TemporaryFolder { try #require(Self.data) }

  @Test("figures, confusion and videos are printed as JSON that adds up")
  func json() throws {
    let folder = try folder()
    let result = try Tool.run(
      "evaluate", folder.path("exercise.mlmodel"), folder.path("data"), "--format", "json",
      "--cache", folder.path("cache"))
    #expect(result.status == 0, "\(result.errors)")
    let report = try Tool.json(result.output)
    #expect(report["schema"] as? Int == 1)
    let confusion = try #require(report["confusion"] as? [String: Any])
    let labels = try #require(confusion["labels"] as? [String])
    let matrix = try #require(confusion["matrix"] as? [[Int]])
    #expect(labels.contains("squats"))
    #expect(matrix.count == labels.count)
    let right = labels.indices.reduce(0) { $0 + matrix[$1][$1] }
    let total = matrix.joined().reduce(0, +)
    let accuracy = try #require(report["accuracy"] as? Double)
    #expect(abs(accuracy - Double(right) / Double(total)) < 1e-12)
    let classes = try #require(report["perClass"] as? [String: [String: Any]])
    for (index, label) in labels.enumerated() {
      #expect(classes[label]?["support"] as? Int == matrix[index].reduce(0, +))
      for name in ["precision", "recall", "f1"] {
        let share = try #require(classes[label]?[name] as? Double)
        #expect((0...1).contains(share))
      }
    }
    let videos = try #require(report["videos"] as? [[String: Any]])
    #expect(videos.map { $0["label"] as? String } == ["jumping_jacks", "lunges", "squats"])
    #expect(videos.allSatisfy { ($0["file"] as? String)?.hasSuffix("a.npz") == true })
    #expect(videos.count { $0["label"] as? String == $0["predicted"] as? String } >= 2)
    let timelines = try #require(report["timelines"] as? [String: [String: Any]])
    for way in ["file", "live"] {
      let metrics = try #require(timelines[way])
      let right = try #require(metrics["frameAccuracy"] as? Double)
      #expect((0.5...1).contains(right))
      let scores = try #require(metrics["f1"] as? [String: Double])
      #expect(try #require(scores["10"]) >= #require(scores["50"]))
      let wrong = try #require(metrics["falseStretches"] as? [[String: Any]])
      let seconds = try #require(metrics["seconds"] as? Double)
      let rate = try #require(metrics["falseStretchesPerMinute"] as? Double)
      #expect(abs(rate * seconds / 60 - Double(wrong.count)) < 1e-9)
    }
    let late = try #require(timelines["live"]?["medianDelay"] as? Double)
    // No name comes before two fifths of a window.
    #expect(late >= 0.8)
  }

  @Test("a table and a page are made for people, and a row a window for spreadsheets")
  func forPeople() throws {
    let folder = try folder()
    let log = folder.url("training.jsonl")
    try Data("{\"iteration\":1,\"trainingLoss\":1}\n{\"iteration\":2,\"trainingLoss\":0.5}\n".utf8)
      .write(to: log)
    let table = try Tool.run(
      "evaluate", folder.path("exercise.mlmodel"), folder.path("data"), "--report",
      folder.path("report.html"), "--log", log.path, "--cache", folder.path("cache"))
    #expect(table.status == 0, "\(table.errors)")
    for text in ["accuracy", "baseline", "true ↓  predicted →", "squats"] {
      #expect(table.output.contains(text))
    }
    let page = try String(contentsOf: folder.url("report.html"), encoding: .utf8)
    #expect(page.contains("<h2>Training</h2>"))
    #expect(page.contains("exercise.mlmodel"))
    let csv = try Tool.run(
      "evaluate", folder.path("exercise.mlmodel"), folder.path("data"), "--format", "csv",
      "--cache", folder.path("cache"))
    let rows = csv.output.split(separator: "\n")
    #expect(rows.first?.hasPrefix("video,start,end,frames,label,predicted") == true)
    #expect(rows.count > 4)
    #expect(rows.allSatisfy { $0.split(separator: ",").count == 9 })
  }

  @Test("labels that the model lacks end with status 65 and their names, or are mapped")
  func unknownLabels() throws {
    let folder = try folder()
    try FileManager.default.createDirectory(
      at: folder.url("strange/waving"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: folder.url("data/lunges/a.npz"), to: folder.url("strange/waving/a.npz"))
    let arguments = [
      "evaluate", folder.path("exercise.mlmodel"), folder.path("strange"), "--cache",
      folder.path("cache"),
    ]
    let refused = try Tool.run(arguments)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("“waving”"))
    #expect(refused.output.isEmpty)
    let mapped = try Tool.run(arguments + ["--other", "other_action", "--format", "json"])
    #expect(mapped.status == 0, "\(mapped.errors)")
    let videos = try Tool.json(mapped.output)["videos"] as? [[String: Any]]
    #expect(videos?.first?["label"] as? String == "waving")
  }

  @Test("a model is converted to ONNX, and to the same model")
  func convert() throws {
    let folder = try folder()
    let model = folder.path("exercise.mlmodel")
    #expect(
      try Tool.run("model", "convert", model, "--output", folder.path("a.onnx")).status == 0)
    let onnx = try Data(contentsOf: folder.url("a.onnx"))
    #expect(onnx.starts(with: [0x08, 0x08, 0x12, 0x06] + Array("Kinema".utf8)))
    #expect(
      try Tool.run("model", "convert", model, "--output", folder.path("b.mlmodel")).status == 0)
    #expect(
      try Data(contentsOf: folder.url("b.mlmodel")) == Data(contentsOf: URL(filePath: model)))
  }

  @Test(
    "a slip of the hand ends with status 64 and a hint",
    arguments: [
      (["evaluate", "model.mlmodel"], "Name a model and the data"),
      (["evaluate", "a", "b", "--report", "x.pdf"], ".html"),
      (["evaluate", "a", "b", "--format", "xml"], "table, json, csv"),
      (["model", "convert", "a.mlmodel"], "--output"),
      (["model", "convert", "a.mlmodel", "--output", "b.tflite"], ".onnx"),
    ])
  func usage(arguments: [String], hint: String) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(hint))
    #expect(result.errors.split(separator: "\n").count == 1)
  }
}
