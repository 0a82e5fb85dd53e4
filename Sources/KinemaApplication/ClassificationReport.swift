import Kinema
import KinemaFiles
import KinemaReport

struct ClassificationReport {
  let results: SceneResults
  let model: Model

  private var predictions: [ActionPrediction] { results.predictions }
  private var isOfHands: Bool { results.isOfHands }
  private var summary: ActionSummary { ActionSummary(ofEach: groups) }

  /// The predictions for the one person, or for each person or hand.
  private var groups: [[ActionPrediction]] {
    guard results.isOfEverybody else { return [predictions] }
    return Dictionary(grouping: predictions) { $0.personID ?? 0 }.sorted { $0.key < $1.key }
      .map(\.value)
  }
}

// MARK: - JSON

extension ClassificationReport: SceneReport {
  struct Model: Sendable {
    let name: String
    let labels: [String]
    let windowSize: Int
    let frameRate: Double

    init(name: String, of classifier: ActionClassifier) {
      self.name = name
      labels = classifier.labels
      windowSize = classifier.windowSize
      frameRate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    }
  }

  struct Window: FileReport {
    let json: JSONObject

    init(_ prediction: ActionPrediction) {
      let isClassified = prediction.status != .noPerson
      json = [
        "start": prediction.timeRange.lowerBound, "end": prediction.timeRange.upperBound,
        "person": prediction.personID, "hand": prediction.chirality?.rawValue,
        "status": prediction.status.rawValue, "label": prediction.topLabel,
        "group": prediction.group, "confidence": isClassified ? prediction.confidence : nil,
        "probabilities": isClassified ? prediction.probabilities : nil,
        "posture": prediction.posture.map {
          ["kind": $0.kind.rawValue, "probability": $0.probability] as JSONObject
        },
      ]
    }
  }

  private static func person(_ predictions: [ActionPrediction]) -> JSONObject {
    let own = ActionSummary(of: predictions)
    return [
      "person": predictions.last?.personID ?? 0, "hand": predictions.last?.chirality?.rawValue,
      "summary": own.modelDurations, "label": own.topLabel,
    ]
  }

  var json: JSONObject {
    let model: JSONObject = [
      "name": model.name, "labels": model.labels, "windowSize": model.windowSize,
      "frameRate": model.frameRate,
    ]
    let summary = summary
    return [
      "schema": 1, "video": results.input.path, "model": model,
      "windows": predictions.map { Window($0).json }, "summary": summary.modelDurations,
      "label": JSONObject.orNull(summary.topLabel),
      "persons": results.isOfEverybody ? groups.map(Self.person) : nil,
    ]
  }
}

extension ActionSummary {
  /// The seconds of each of the model's labels that occurred.
  fileprivate var modelDurations: [String: Double] {
    Dictionary(uniqueKeysWithValues: entries.filter(\.isModelLabel).map { ($0.label, $0.duration) })
  }
}

// MARK: - Comma-separated values

extension ClassificationReport {
  static func csvHeader(isOfHands: Bool) -> String {
    "video,start,end,person,status,label,confidence" + (isOfHands ? ",hand\n" : "\n")
  }

  var csv: String {
    predictions.map {
      Self.row(of: $0, in: results.input.path, isOfHands: isOfHands)
    }.joined()
  }

  static func row(of prediction: ActionPrediction, in path: String, isOfHands: Bool) -> String {
    let cells = [
      path, prediction.timeRange.lowerBound.fixed(3), prediction.timeRange.upperBound.fixed(3),
      prediction.personID.map(String.init) ?? "", prediction.status.rawValue,
      prediction.topLabel ?? "",
      prediction.status == .noPerson ? "" : prediction.confidence.fixed(4),
    ]
    let side = isOfHands ? [prediction.chirality?.rawValue ?? ""] : []
    return CSV.line(cells + side)
  }
}

// MARK: - For people

extension ClassificationReport {
  /// When what was done, and how long in all.
  var table: String {
    let seconds = predictions.map(\.timeRange.upperBound).max() ?? 0
    var text = "\(results.input.name)  \(seconds.fixed(1)) s  "
    let window =
      model.windowSize == 1
      ? "single frames" : "\(model.windowSize) frames at \(model.frameRate.fixed(0)) fps"
    text += "(\(model.name): \(window))\n\n"
    guard !predictions.isEmpty else {
      let nothing =
        results.isOfEverybody
        ? "No \(isOfHands ? "hand" : "person") is visible for long enough."
        : "There are no frames."
      return text + "  \(nothing)\n\n"
    }
    text += timeline + "\n"
    var totals = TextTable([("", .left), ("", .right), ("", .left)])
    let longest = summary.entries.first?.duration ?? 0
    for entry in summary.entries {
      let length = longest > 0 ? Int((entry.duration / longest * 30).rounded()) : 0
      totals.add([
        entry.label, "\(entry.duration.fixed(1)) s", String(repeating: "█", count: length),
      ])
    }
    return text + totals.text + "\n"
  }

  private var timeline: String {
    let person: [(String, TextTable.Alignment)] =
      results.isOfEverybody ? [(isOfHands ? "hand" : "person", .left)] : []
    var timeline = TextTable(
      [("from", .right), ("to", .right)] + person + [("action", .left), ("confidence", .right)])
    for group in groups {
      let last = group.last
      let name =
        "\(last?.personID ?? 1)" + (isOfHands ? " \(last?.chirality?.rawValue ?? "")" : "")
      for stretch in Self.stretches(of: group) {
        timeline.add(
          [stretch.start.fixed(1), stretch.end.fixed(1)] + (results.isOfEverybody ? [name] : [])
            + [stretch.title, stretch.confidence.map(\.percent) ?? ""])
      }
    }
    return timeline.text
  }

  private struct Stretch {
    let label: String
    let start: Double
    var end: Double
    var confidences: [Double]
    var groups: [String?]

    /// The label, and the group that most of its windows name beside it.
    var title: String {
      let counts = groups.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      let most = counts.max { ($0.value, $1.key ?? "") < ($1.value, $0.key ?? "") }?.key
      return most.flatMap(\.self).map { "\(label) (\($0))" } ?? label
    }

    var confidence: Double? {
      confidences.isEmpty ? nil : confidences.reduce(0, +) / Double(confidences.count)
    }
  }

  /// Windows with the same label after one another, as one.
  private static func stretches(of predictions: [ActionPrediction]) -> [Stretch] {
    var stretches: [Stretch] = []
    for (prediction, range) in zip(predictions, ActionSummary.stretches(of: predictions)) {
      let confidences = prediction.status == .noPerson ? [] : [prediction.confidence]
      if let last = stretches.last, last.label == prediction.label, last.end >= range.lowerBound {
        stretches[stretches.count - 1].end = range.upperBound
        stretches[stretches.count - 1].confidences += confidences
        stretches[stretches.count - 1].groups.append(prediction.group)
      } else {
        stretches.append(
          Stretch(
            label: prediction.label, start: range.lowerBound, end: range.upperBound,
            confidences: confidences, groups: [prediction.group]))
      }
    }
    return stretches
  }
}
