import Foundation
import Kinema
import KinemaFiles
import KinemaReport

struct EvaluationReport {
  let evaluation: ActionClassifierEvaluation
  /// What people see over whole videos, if they were classified.
  var timelines: EvaluatedTimelines?
  let modelName: String
  let dataName: String
  /// The number of listed mistakes; by default 10 in the table and all in JSON.
  var mistakeLimit: Int?
}

// MARK: - JSON

extension EvaluationReport {
  func json() throws -> Data {
    let (frames, windows, videos) = (evaluation.frames, evaluation.windows, evaluation.videos)
    let accuracies: JSONObject = [
      "frames": frames.accuracy, "windows": windows.accuracy, "videos": videos.accuracy,
    ]
    let counts: JSONObject = [
      "frames": frames.total, "windows": windows.total, "videos": videos.total,
    ]
    let confusion: JSONObject = ["labels": frames.labels, "matrix": frames.counts]
    let calibration: JSONObject = [
      "expectedError": evaluation.calibration.expectedError, "logLoss": evaluation.logLoss,
      "bins": evaluation.calibration.bins, "temperature": evaluation.temperature,
    ]
    let classes = frames.perClass.map { ($0.label, Self.metrics($0)) }
    let mistakes = evaluation.mistakes(limit: mistakeLimit ?? .max).map(Self.mistake)
    let baseline = frames.majorityBaseline.map {
      ["label": $0.label, "accuracy": $0.accuracy] as JSONObject
    }
    let report: JSONObject = [
      "schema": 1, "model": modelName, "data": dataName, "windowSize": evaluation.windowSize,
      "frameRate": evaluation.frameRate, "accuracy": frames.accuracy, "accuracies": accuracies,
      "counts": counts, "macroF1": JSONObject.orNull(frames.macroF1),
      "perClass": Dictionary(uniqueKeysWithValues: classes), "confusion": confusion,
      "baseline": baseline, "calibration": calibration,
      "videos": evaluation.examples.map(video), "mistakes": mistakes,
      "emptyFiles": evaluation.emptyFiles, "timelines": timelines?.json,
    ]
    return try report.jsonText()
  }

  /// Undefined shares are 0 here.
  private static func metrics(_ metrics: ClassMetrics) -> JSONObject {
    [
      "precision": metrics.precision ?? 0, "recall": metrics.recall ?? 0, "f1": metrics.f1 ?? 0,
      "support": metrics.support,
    ]
  }

  private func video(_ example: ActionClassifierEvaluation.Example) -> JSONObject {
    let right = example.windows.filter { $0.predicted == example.truth }
    let frames = example.windows.reduce(0) { $0 + $1.frameCount }
    let accuracy = Double(right.reduce(0) { $0 + $1.frameCount }) / Double(max(1, frames))
    return [
      "file": example.file, "start": example.timeRange.lowerBound,
      "end": example.timeRange.upperBound, "label": example.label,
      "predicted": evaluation.labels[example.predicted],
      "confidence": Double(example.probabilities[example.predicted]),
      "windows": example.windows.count, "accuracy": accuracy,
    ]
  }

  private static func mistake(_ mistake: ActionClassifierEvaluation.Mistake) -> JSONObject {
    [
      "file": mistake.file, "start": mistake.timeRange.lowerBound,
      "end": mistake.timeRange.upperBound, "label": mistake.label,
      "predicted": mistake.predicted, "confidence": mistake.confidence,
      "truthProbability": mistake.truthProbability,
    ]
  }
}

// MARK: - Comma-separated values

extension EvaluationReport {
  /// One row per window.
  var csv: String {
    var text = "video,start,end,frames,label,predicted,confidence,truth_probability,right\n"
    for example in evaluation.examples {
      for window in example.windows {
        let cells = [
          example.file, window.timeRange.lowerBound.fixed(3), window.timeRange.upperBound.fixed(3),
          String(window.frameCount), example.label, evaluation.labels[window.predicted],
          Double(window.probabilities[window.predicted]).fixed(4),
          Double(window.probabilities[example.truth]).fixed(4),
          window.predicted == example.truth ? "1" : "0",
        ]
        text += CSV.line(cells)
      }
    }
    return text
  }
}

// MARK: - Table

extension EvaluationReport {
  /// Metrics, labels, confusion matrix and mistakes.
  var table: String {
    let seconds = Double(evaluation.frames.total) / evaluation.frameRate
    var text = "\(modelName) on \(dataName)\n"
    if isOfSinglePoses {
      text += "\(evaluation.videos.total.counted("example")) of a single pose\n"
    } else {
      text += "\(evaluation.videos.total.counted("example")), \(seconds.fixed(1)) s, "
      text += "\(evaluation.windows.total.counted("window")) of "
      text += "\(evaluation.windowSize.counted("frame"))\n"
    }
    if !evaluation.emptyFiles.isEmpty {
      text += "skipped, without frames: \(evaluation.emptyFiles.joined(separator: ", "))\n"
    }
    let overTime = timelines.map { "\n" + $0.table } ?? ""
    return text + "\n" + headlines + overTime + "\n" + labels + "\n" + confusion + "\n" + mistakes
  }

  /// Whether each example is one frame, such as a picture.
  private var isOfSinglePoses: Bool {
    evaluation.windowSize == 1 && evaluation.frames.total == evaluation.videos.total
  }

  private var headlines: String {
    var table = TextTable([("", .left), ("", .right), ("", .left)])
    let frames = evaluation.frames
    if isOfSinglePoses {
      table.add(["accuracy", frames.accuracy.percent, "of examples"])
    } else {
      table.add(["accuracy", frames.accuracy.percent, "of frames, as Create ML counts"])
      table.add(["", evaluation.windows.accuracy.percent, "of windows"])
      table.add(["", evaluation.videos.accuracy.percent, "of examples, by mean probability"])
    }
    if let baseline = frames.majorityBaseline {
      table.add(["baseline", baseline.accuracy.percent, "always predicting “\(baseline.label)”"])
    }
    table.add(["macro F1", (frames.macroF1 ?? 0).percent, "mean over the labels that occur"])
    let calibration = evaluation.calibration.expectedError.percent
    table.add([
      "calibration", calibration, "expected error; log loss \(evaluation.logLoss.fixed(3))",
    ])
    if let temperature = evaluation.temperature {
      let (before, after) = (temperature.logLossBefore, temperature.logLossAfter)
      table.add([
        "", temperature.value.fixed(2),
        "would be the best temperature: held-out log loss \(before.fixed(3)) → \(after.fixed(3))",
      ])
    }
    return table.text
  }

  private var labels: String {
    var table = TextTable([
      ("label", .left), ("precision", .right), ("recall", .right), ("F1", .right),
      ("frames", .right), ("", .left),
    ])
    for metrics in evaluation.frames.perClass {
      let shares = [metrics.precision, metrics.recall, metrics.f1].map { $0?.percent ?? "–" }
      let bar = String(repeating: "█", count: Int(((metrics.f1 ?? 0) * 20).rounded()))
      table.add([metrics.label] + shares + [String(metrics.support), bar])
    }
    return table.text
  }

  /// The matrix with label numbers as column titles, to fit a terminal.
  private var confusion: String {
    let matrix = evaluation.frames
    let numbers = matrix.labels.indices.map { ("\($0 + 1)", TextTable.Alignment.right) }
    var table = TextTable([("true ↓  predicted →", .left), ("", .right)] + numbers)
    for (index, row) in matrix.counts.enumerated() {
      table.add([matrix.labels[index], "\(index + 1)"] + row.map { $0 == 0 ? "·" : String($0) })
    }
    return table.text
  }

  private var mistakes: String {
    let listed = evaluation.mistakes(limit: mistakeLimit ?? 10)
    let wrong = evaluation.windows.total - evaluation.windows.correctCount
    guard wrong > 0 else { return "  No window has a wrong prediction.\n" }
    guard !listed.isEmpty else { return "" }
    var table = TextTable([
      ("worst mistakes", .left), ("from", .right), ("to", .right), ("true", .left),
      ("predicted", .left), ("confidence", .right),
    ])
    for mistake in listed {
      table.add([
        mistake.file.split(separator: "/").suffix(2).joined(separator: "/"),
        mistake.timeRange.lowerBound.fixed(1), mistake.timeRange.upperBound.fixed(1),
        mistake.label, mistake.predicted, mistake.confidence.percent,
      ])
    }
    let more = wrong > listed.count ? "  … and \(wrong - listed.count) more\n" : ""
    return table.text + more
  }
}
