import Foundation
import Kinema
import KinemaReport

struct TrainReport {
  let model: TrainedActionClassifier
  let file: URL
  let test: ActionClassifierEvaluation?

  private struct Content: Encodable {
    struct Windows: Encodable {
      let training: Int
      let validation: Int
    }
    struct Test: Encodable {
      let videos: Int
      let videoAccuracy: Double
      let windowAccuracy: Double
      let frameAccuracy: Double

      init(_ evaluation: ActionClassifierEvaluation) {
        videos = evaluation.videos.total
        videoAccuracy = evaluation.videos.accuracy
        windowAccuracy = evaluation.windows.accuracy
        frameAccuracy = evaluation.frames.accuracy
      }
    }
    let schema = 1
    let model: String
    let labels: [String]
    let windowSize: Int
    let frameRate: Double
    let windows: Windows
    let iterations: Int
    let bestIteration: Int
    let metrics: TrainingMetrics?
    let test: Test?
    let temperature: Double?
  }

  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let content = Content(
        model: file.path, labels: model.labels, windowSize: model.parameters.predictionWindowSize,
        frameRate: model.parameters.targetFrameRate,
        windows: .init(
          training: model.trainingWindowCount, validation: model.validationWindowCount),
        iterations: model.history.count, bestIteration: model.bestIteration,
        metrics: model.metrics,
        test: test.map(Content.Test.init), temperature: model.temperature?.value)
      return try encoder.encode(content) + Data("\n".utf8)
    }
  }

  var table: String {
    var table = TextTable([("", .left), ("", .left)])
    table.add(["model", file.path])
    table.add(["labels", model.labels.joined(separator: ", ")])
    table.add(["iterations", "\(model.history.count), the best is number \(model.bestIteration)"])
    if let metrics = model.metrics {
      table.add([
        "training", "\(metrics.trainingAccuracy.percent) of \(model.trainingWindowCount) windows",
      ])
      if let accuracy = metrics.validationAccuracy {
        table.add(["validation", "\(accuracy.percent) of \(model.validationWindowCount) windows"])
      }
    }
    if let temperature = model.temperature {
      table.add(["temperature", "\(temperature.value.fixed(2)), folded into the model"])
    }
    if let test {
      let accuracy = test.videos.accuracy
      table.add([
        "test", "\(accuracy.percent) of \(test.videos.total) segments; see kinema evaluate",
      ])
    }
    if let seconds = model.history.last?.seconds {
      table.add(["time", ProgressBar.clock(seconds)])
    }
    return "\n\(table.text)\n"
  }
}
