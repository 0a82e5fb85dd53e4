import Foundation
import Kinema
import KinemaFiles
import KinemaReport

struct TrainReport {
  let model: TrainedActionClassifier
  let file: URL
  let test: ActionClassifierEvaluation?

  var json: Data {
    get throws {
      let windows: JSONObject = [
        "training": model.trainingWindowCount, "validation": model.validationWindowCount,
      ]
      let test: JSONObject? = test.map {
        [
          "videos": $0.videos.total, "videoAccuracy": $0.videos.accuracy,
          "windowAccuracy": $0.windows.accuracy, "frameAccuracy": $0.frames.accuracy,
        ]
      }
      let report: JSONObject = [
        "schema": 1, "model": file.path, "labels": model.labels,
        "windowSize": model.parameters.predictionWindowSize,
        "frameRate": model.parameters.targetFrameRate, "windows": windows,
        "iterations": model.history.count, "bestIteration": model.bestIteration,
        "metrics": model.metrics, "test": test, "temperature": model.temperature?.value,
      ]
      return try report.jsonText()
    }
  }

  var table: String {
    var table = TextTable([("", .left), ("", .left)])
    table.add(["model", file.path])
    table.add(["labels", model.labels.joined(separator: ", ")])
    table.add(["iterations", "\(model.history.count), the best is number \(model.bestIteration)"])
    if let metrics = model.metrics {
      table.add([
        "training",
        "\(metrics.trainingAccuracy.percent) of \(model.trainingWindowCount.counted("window"))",
      ])
      if let accuracy = metrics.validationAccuracy {
        table.add([
          "validation", "\(accuracy.percent) of \(model.validationWindowCount.counted("window"))",
        ])
      }
    }
    if let temperature = model.temperature {
      table.add(["temperature", "\(temperature.value.fixed(2)), folded into the model"])
    }
    if let test {
      let accuracy = test.videos.accuracy
      table.add([
        "test",
        "\(accuracy.percent) of \(test.videos.total.counted("segment")); see kinema evaluate",
      ])
    }
    if let seconds = model.history.last?.seconds {
      table.add(["time", ProgressBar.clock(seconds)])
    }
    return "\n\(table.text)\n"
  }
}
