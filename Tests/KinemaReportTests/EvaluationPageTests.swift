import Foundation
import KinemaFiles
import KinemaReport
import KinemaTestSupport
import KinemaTraining
import Testing

@Suite("The evaluation's page")
struct EvaluationPageTests {
  private func page(
    labels: [String] = ["up", "down", "other"], file: String = "videos/up/a.mp4",
    log: [TrainingLogEntry] = [], pictures: [SkeletonPicture?] = []
  ) throws -> String {
    let examples = [
      WristModel.example(labels[0], [1, 1, 1, 1, 0.5, 0.5], file: file),
      WristModel.example(labels[1], [0.1, 0.2, 0, 0.1], file: "videos/down/b.mp4"),
    ]
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(labels: labels), examples: examples)
    return EvaluationPage(
      evaluation, modelName: "Wrist.mlmodel", dataName: "videos", trainingLog: log,
      pictures: pictures
    ).html
  }

  @Test("a picture with the skeleton stands beside the mistake that it shows")
  func pictures() throws {
    let limb = (start: SIMD2<Float>(0.25, 1), end: SIMD2<Float>(0.5, 0.5))
    let picture = SkeletonPicture(jpeg: Data([255, 216]), aspectRatio: 1.5, limbs: [limb])
    let html = try page(pictures: [picture])
    #expect(html.components(separatedBy: "<svg class=\"skeleton\"").count == 2)
    #expect(html.contains("base64,\(Data([255, 216]).base64EncodedString())"))
    #expect(html.contains("<line x1=\"150.000\" y1=\"0.000\" x2=\"300.000\" y2=\"200.000\"/>"))
    #expect(html.contains("taken for") && html.contains("<th>Picture</th>"))
    #expect(try !page().contains("<th>Picture</th>"))
  }

  @Test("it shows figures, confusion, calibration, mistakes with file and time, and timelines")
  func content() throws {
    let html = try page()
    for text in [
      "80.0 %", "Wrist.mlmodel", "<h2>Labels</h2>", "<h2>Confusion</h2>", "<h2>Calibration</h2>",
      "<h2>Worst mistakes</h2>", "<h2>Timelines</h2>", "up/a.mp4", "0:00.4–0:00.6",
      "1 of 2 wrong",
    ] {
      #expect(html.contains(text), "\(text)")
    }
    #expect(!html.contains("<h2>Training</h2>"))
  }

  @Test("it loads nothing and runs no script")
  func selfContained() throws {
    let html = try page()
    for text in ["http://", "https://", "<script", "<link", "<img", "@import", "url("] {
      #expect(!html.contains(text), "\(text)")
    }
    #expect(html.contains("default-src 'none'"))
  }

  @Test("names from files are text, whatever they hold")
  func escaping() throws {
    let html = try page(
      labels: ["<script>alert(1)</script>", "\"' onmouseover='x", "a&b\u{202e}\u{0}"],
      file: "x/\"><img src=y>.mp4")
    #expect(!html.contains("<script"))
    #expect(!html.contains("<img"))
    #expect(!html.contains("\"' onmouseover"))
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(html.contains("a&amp;b"))
    #expect(!html.contains("\u{202e}"))
  }

  @Test("the curves of the training are drawn where its log is given")
  func curves() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("training.jsonl")
    try Data(
      """
      {"iteration":1,"trainingLoss":1.5,"trainingAccuracy":0.4,"validationLoss":null}
      {"iteration":2,"trainingLoss":0.9,"trainingAccuracy":0.7,"validationLoss":1.1,"validationAccuracy":0.6,"seconds":3}

      """.utf8
    ).write(to: file)
    let log = try TrainingLogEntry.read(from: file)
    #expect(log.count == 2)
    #expect(log[1].validationAccuracy == 0.6)
    let html = try page(log: log)
    #expect(html.contains("<h2>Training</h2>"))
    #expect(html.contains("lowest validation loss 1.100 at iteration 2"))
    try Data("{\"iteration\":1}\nnonsense\n".utf8).write(to: file)
    let refusal = expectError(TrainingError.self) { try TrainingLogEntry.read(from: file) }
    #expect(refusal?.message.contains("Line 2") == true)
  }

  @Test("the page is written whole, or an error says where it cannot be")
  func writing() throws {
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(), examples: [WristModel.example("up", [1, 1, 1, 1])])
    let page = EvaluationPage(evaluation, modelName: "m", dataName: "d")
    let refusal = expectError(WholeFile.Failure.self) {
      try page.write(to: URL(filePath: "/nonexistent/report.html"))
    }
    #expect(refusal?.description.contains("/nonexistent/report.html") == true)
  }
}
