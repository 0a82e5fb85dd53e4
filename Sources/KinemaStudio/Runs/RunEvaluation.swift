import Foundation
import KinemaFiles
import KinemaTraining

/// The evaluation of a run on a set, for the page: with the items, so that their clips can be played.
struct RunEvaluation {
  private let evaluation: ActionClassifierEvaluation
  private let items: [FileName: [ProjectItem]]

  /// The most mistakes that are listed.
  private static let mistakeLimit = 1000
  /// Times of an item are kept to the microsecond.
  private static let tolerance = 1e-3

  init(_ evaluation: ActionClassifierEvaluation, items: [ProjectItem]) {
    self.evaluation = evaluation
    self.items = Dictionary(grouping: items) { FileName($0.file) }
  }

  var json: Data {
    get throws {
      let calibration: JSONObject = [
        "error": evaluation.calibration.expectedError,
        "bins": evaluation.calibration.bins.filter { $0.count > 0 }.map { bin -> JSONObject in
          ["confidence": bin.confidence, "accuracy": bin.accuracy, "count": bin.count]
        },
      ]
      let object: JSONObject = [
        "labels": evaluation.labels, "accuracy": evaluation.frames.accuracy,
        "frames": Self.matrix(evaluation.frames), "windows": Self.matrix(evaluation.windows),
        "videos": Self.matrix(evaluation.videos), "calibration": calibration,
        "clips": evaluation.examples.map(clip),
        "examples": evaluation.examples.flatMap(windows(of:)),
        "mistakes": evaluation.mistakes(limit: Self.mistakeLimit).map(mistake),
      ]
      return try object.jsonText(isPretty: false)
    }
  }

  private static func matrix(_ matrix: ConfusionMatrix) -> JSONObject {
    [
      "accuracy": matrix.accuracy, "matrix": matrix.counts,
      "classes": matrix.perClass.map { metrics -> JSONObject in
        [
          "label": metrics.label, "precision": JSONObject.orNull(metrics.precision),
          "recall": JSONObject.orNull(metrics.recall), "f1": JSONObject.orNull(metrics.f1),
          "support": metrics.support,
        ]
      },
    ]
  }

  /// An example as a whole, as the matrix of videos counts it.
  private func clip(_ example: ActionClassifierEvaluation.Example) -> JSONObject {
    [
      "item": JSONObject.orNull(item(example.file, example.label, example.timeRange)),
      "file": example.file, "start": example.timeRange.lowerBound,
      "end": example.windows.last?.timeRange.upperBound ?? example.timeRange.upperBound,
      "label": evaluation.labels[example.truth], "predicted": evaluation.labels[example.predicted],
      "confidence": Self.short(Double(example.probabilities[example.predicted])),
    ]
  }

  /// The windows of an example, so that a page can show each moment.
  private func windows(of example: ActionClassifierEvaluation.Example) -> [JSONObject] {
    let item = item(example.file, example.label, example.timeRange)
    return example.windows.map { window in
      [
        "item": JSONObject.orNull(item), "file": example.file,
        "start": window.timeRange.lowerBound, "end": window.timeRange.upperBound,
        "frames": window.frameCount,
        "label": evaluation.labels[example.truth],
        "predicted": evaluation.labels[window.predicted],
        "confidence": Self.short(Double(window.probabilities[window.predicted])),
        "probabilities": Dictionary(
          uniqueKeysWithValues: zip(
            evaluation.labels, window.probabilities.map { Self.short(Double($0)) })),
      ]
    }
  }

  private func mistake(_ mistake: ActionClassifierEvaluation.Mistake) -> JSONObject {
    [
      "item": JSONObject.orNull(item(mistake.file, mistake.label, mistake.timeRange)),
      "file": mistake.file, "start": mistake.timeRange.lowerBound,
      "end": mistake.timeRange.upperBound, "label": mistake.label, "predicted": mistake.predicted,
      "confidence": Self.short(mistake.confidence),
    ]
  }

  /// The item that a time of a file with a label belongs to.
  private func item(_ file: String, _ label: String, _ range: Range<TimeInterval>) -> String? {
    items[FileName(file)]?.first { item in
      item.label == label && (item.start ?? 0) <= range.lowerBound + Self.tolerance
        && range.lowerBound < item.end ?? .infinity
    }?.id
  }

  private static func short(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
}
