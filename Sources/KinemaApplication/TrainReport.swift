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
      let leaveOneOut: JSONObject? = model.leaveOneOut.map {
        [
          "takes": $0.takes.total, "correct": $0.takes.correctCount,
          "low": $0.interval?.lowerBound, "high": $0.interval?.upperBound,
          "confused": $0.confused.map { [$0.first, $0.second] }, "temperature": $0.temperature,
        ]
      }
      let report: JSONObject = [
        "schema": 1, "model": file.path, "labels": model.labels,
        "windowSize": model.parameters.predictionWindowSize,
        "frameRate": model.parameters.targetFrameRate, "windows": windows,
        "iterations": model.history.count, "bestIteration": model.bestIteration,
        "metrics": model.metrics, "leaveOneOut": leaveOneOut, "test": test,
        "temperature": model.temperature?.value,
      ]
      return try report.jsonText()
    }
  }

  var table: String {
    var table = TextTable([("", .left), ("", .left)])
    table.add(["model", file.path])
    table.add(["labels", model.labels.joined(separator: ", ")])
    let isValidated = model.validationWindowCount > 0
    table.add([
      "iterations",
      "\(model.history.count), "
        + (isValidated ? "the best is number \(model.bestIteration)" : "the last is taken"),
    ])
    if let metrics = model.metrics {
      table.add([
        "training",
        "\(metrics.trainingAccuracy.percent) of \(model.trainingWindowCount.counted("window"))",
      ])
      if let accuracy = metrics.validationAccuracy {
        table.add([
          "validation", "\(accuracy.percent) of \(model.validationWindowCount.counted("window"))",
        ])
      } else {
        table.add([
          "validation", "none: how well other videos are classified is unknown; see --validation",
        ])
      }
    }
    if let leaveOneOut = model.leaveOneOut, let interval = leaveOneOut.interval {
      let takes = leaveOneOut.takes
      table.add([
        "takes left out",
        "\(takes.correctCount) of \(takes.total) right; with so few, anything from "
          + "\(interval.lowerBound.percent) to \(interval.upperBound.percent) is plausible",
      ])
      if let (first, second, count) = leaveOneOut.confused {
        table.add(["confused", "\(first) and \(second), in \(count) of the takes"])
      }
      if leaveOneOut.temperature > 1 {
        table.add([
          "temperature", "\(leaveOneOut.temperature.fixed(2)), so that it is less confident",
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
