import Foundation
import KinemaReport
import KinemaTestSupport
import KinemaTraining
import Testing

/// The figures of an evaluation, read from its page.
@Suite("The figures of an evaluation's page")
struct EvaluationFiguresTests {
  private static let high: [Float?] = [1, 1, 1, 1]
  private static let low: [Float?] = [0, 0, 0, 0]

  private func page(
    _ examples: [(label: String, heights: [Float?], file: String)], log: [TrainingLogEntry] = []
  ) throws -> PageDocument {
    let evaluation = try ActionClassifierEvaluation(
      classifier: WristModel.classifier(),
      examples: examples.map { WristModel.example($0.label, $0.heights, file: $0.file) })
    return try PageDocument(
      EvaluationPage(evaluation, modelName: "Wrist", dataName: "data", trainingLog: log).html)
  }

  private func log(_ lines: [String]) throws -> [TrainingLogEntry] {
    let folder = try TemporaryFolder()
    let file = folder.url("training.jsonl")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    return try TrainingLogEntry.read(from: file)
  }

  @Test("rows of the confusion are what is done, columns what the model says")
  func confusion() throws {
    let page = try page([
      ("up", Self.high, "a"), ("up", Self.low, "b"), ("up", Self.high, "c"),
      ("down", Self.low, "d"),
    ])
    let rows = page.table("matrix")
    #expect(rows[0] == ["", "up", "down", "other"])
    #expect(rows[1] == ["up", "67\u{202f}%8", "33\u{202f}%4", "·"])
    #expect(rows[2] == ["down", "·", "100\u{202f}%4", "·"])
    #expect(rows[3] == ["other", "·", "·", "·"])
    let titles = page.all("table", "matrix").flatMap { $0.all("td") }.compactMap {
      $0.attributes["title"]
    }
    #expect(titles.contains("up taken for down: 4") && titles.count == 9)
  }

  @Test("precision, recall, F1 and frames of each label follow from the confusion")
  func labels() throws {
    let page = try page([
      ("up", Self.high, "a"), ("up", Self.low, "b"), ("down", Self.low, "c"),
    ])
    let rows = page.table("classes")
    #expect(rows[0] == ["Label", "Precision", "Recall", "F1", "Frames"])
    #expect(rows[1] == ["up", "100.0 %", "50.0 %", "66.7 %", "8"])
    #expect(rows[2] == ["down", "50.0 %", "100.0 %", "66.7 %", "4"])
    #expect(rows[3][4] == "0" && rows[3][2] == "–")
    #expect(page.tiles["Accuracy"] == "66.7 %" && page.tiles["Videos"] == "66.7 %")
    #expect(page.tiles["Baseline"] == "66.7 %")
    let bars = page.all("table", "classes").flatMap { $0.all("tr") }[1].all("i").compactMap {
      $0.attributes["style"]
    }
    #expect(bars.contains { $0.hasPrefix("width:50.0%;") })
    #expect(bars.contains { $0.hasPrefix("width:100.000%") })
  }

  @Test("a mistake has its file, its time and both probabilities; without one it says so")
  func mistakes() throws {
    let page = try page([
      ("up", Self.high + Self.low, "videos/up/a.mp4"), ("down", Self.low, "videos/down/b.mp4"),
    ])
    let row = try #require(page.table("mistakes").last)
    #expect(row[0] == "up/a.mp40:00.4–0:00.8")
    #expect(row[1] == "up" && row[2] == "down")
    // p(down) = 1 / (1 + e^−8).
    #expect(row[3] == "100.0 %" && row[4] == "0.0 %")
    #expect(page.all("td", "file").map { $0.attributes["title"] } == ["videos/up/a.mp4"])
    let right = try self.page([("up", Self.high, "a")])
    #expect(right.all("main").first?.text.contains("There are none.") == true)
    #expect(right.all("table", "mistakes").isEmpty)
  }

  @Test("the worst videos come first, each with its bands over its own time")
  func timelines() throws {
    let page = try page([
      ("up", Self.high + Self.high, "x/right.mp4"), ("up", Self.high + Self.low, "x/half.mp4"),
      ("up", Self.low, "x/wrong.mp4"),
    ])
    let strips = page.all("figure", "strip")
    #expect(
      strips.map { $0.all("figcaption").first?.text } == [
        "x/wrong.mp41 of 1 wrong", "x/half.mp41 of 2 wrong", "x/right.mp4all right",
      ])
    let half = strips[1]
    let best = half.all("div", "best").flatMap { $0.all("b") }
    #expect(best.map(\.text) == ["up", "down"])
    #expect(best.map { $0.classes.contains("wrong") } == [false, true])
    #expect(
      best.map { $0.attributes["style"] } == [
        "left:0.000%;width:50.000%", "left:50.000%;width:50.000%",
      ])
    let truth = half.all("div", "truth").flatMap { $0.all("i") }
    #expect(truth.first?.attributes["style"]?.hasPrefix("left:0.000%;width:100.000%") == true)
    #expect(
      half.all("div", "times").flatMap { $0.all("span") }.map(\.text) == [
        "0:00.0", "0:00.4", "0:00.8",
      ])
    #expect(best[0].attributes["title"]?.contains("100 % with a person") == true)
  }

  @Test("the curves start at the first iteration and end at the last")
  func curves() throws {
    let entries = try log(
      (1...4).map {
        #"{"iteration":\#($0),"trainingLoss":\#(2.0 / Double($0)),"trainingAccuracy":0.5,"#
          + #""validationLoss":\#($0 == 2 ? 0.25 : 1),"validationAccuracy":0.75}"#
      })
    let page = try page([("up", Self.high, "a")], log: entries)
    #expect(page.sections.contains("Training"))
    let charts = page.all("svg").filter {
      $0.attributes["aria-label"]?.hasSuffix("over the training") == true
    }
    #expect(
      charts.compactMap { $0.attributes["aria-label"] } == [
        "Loss over the training", "Accuracy over the training",
      ])
    let training = try #require(PageDocument.points(charts[0].all("path", "training").first))
    // A chart of 480 by 280 with margins of 52, 14, 12 and 40.
    #expect(training.map(\.x) == [52, 190, 328, 466])
    #expect(training.map(\.y) == [12, 126, 164, 183])
    let validation = try #require(PageDocument.points(charts[1].all("path", "validation").first))
    #expect(validation.allSatisfy { abs($0.y - (240 - 0.75 * 228)) < 1e-3 })
    let best = try #require(charts[0].all("path", "best").first?.attributes["d"])
    #expect(best.hasPrefix("M190.000 "))
    #expect(
      page.all("main").first?.text.contains("lowest validation loss 0.250 at iteration 2") == true)
  }

  @Test("one entry of a log is no curve, and a long log is thinned")
  func logs() throws {
    let one = try page(
      [("up", Self.high, "a")], log: try log([#"{"iteration":1,"trainingLoss":1}"#]))
    #expect(!one.sections.contains("Training"))
    let entries = try log((1...3000).map { #"{"iteration":\#($0),"trainingLoss":1}"# })
    let long = try page([("up", Self.high, "a")], log: entries)
    let points = try #require(PageDocument.points(long.all("path", "training").first))
    #expect((500...700).contains(points.count))
    #expect(points.last?.x == 466)
  }

  @Test("a bar of the calibration stands for its windows")
  func calibration() throws {
    let page = try page([
      ("up", Self.high, "a"), ("up", Self.high, "b"), ("up", Self.low, "c"),
    ])
    let chart = try #require(
      page.all("svg").first { $0.attributes["aria-label"] == "Reliability diagram" })
    #expect(chart.all("title").map(\.text) == ["3 windows, 100.0 % mean confidence, 66.7 % right"])
    let bar = try #require(chart.all("rect", "reliable").first)
    // The plane is 248 high; two of three are right.
    #expect(abs(try #require(bar.number("height")) - 248 * 2 / 3) < 0.01)
    #expect(page.tiles["Calibration error"] == "33.3 %")
  }

  @Test("examples without frames are counted as skipped")
  func skipped() throws {
    let page = try page([("up", Self.high, "a"), ("up", [], "b")])
    let line = try #require(page.all("p", "sub").first?.text)
    #expect(line.contains("1 without frames skipped"))
    #expect(line.contains("1 windows of 4 frames (0.4 s at 10 fps), 3 labels"))
  }
}
