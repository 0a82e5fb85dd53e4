import Foundation
import Kinema
import KinemaFiles
import KinemaReport

/// What was recognised in one file, in the forms in which it is told.
struct ClassificationReport {
  let file: URL
  let classifier: ActionClassifier
  let modelName: String
  let predictions: [ActionPrediction]
  /// Whether it is hands that were classified, each for itself.
  var isOfHands = false

  private var frameRate: Double { classifier.frameRate ?? ActionRecognizer.defaultFrameRate }

  var summary: ActionSummary { ActionSummary(ofEach: groups) }

  /// The predictions for the one person, or for each hand.
  private var groups: [[ActionPrediction]] {
    guard isOfHands else { return [predictions] }
    return Dictionary(grouping: predictions) { $0.personID ?? 0 }.sorted { $0.key < $1.key }
      .map(\.value)
  }
}

// MARK: - JSON

extension ClassificationReport: FileReport {
  private enum Key: String, CodingKey {
    case schema, video, model, windows, summary, label
  }

  private struct Model: Encodable {
    let name: String
    let labels: [String]
    let windowSize: Int
    let frameRate: Double
  }

  private struct Window: Encodable {
    let start: Double
    let end: Double
    let person: Int?
    let hand: Chirality?
    let status: ActionPrediction.Status
    let label: String?
    let confidence: Double?
    let probabilities: [String: Double]?
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(1, forKey: .schema)
    try container.encode(file.path, forKey: .video)
    try container.encode(
      Model(
        name: modelName, labels: classifier.labels, windowSize: classifier.windowSize,
        frameRate: frameRate), forKey: .model)
    try container.encode(predictions.map(Self.window), forKey: .windows)
    let times = summary.entries.filter(\.isModelLabel).map { ($0.label, $0.duration) }
    try container.encode(Dictionary(uniqueKeysWithValues: times), forKey: .summary)
    try container.encode(summary.topLabel, forKey: .label)
  }

  private static func window(of prediction: ActionPrediction) -> Window {
    let isClassified = prediction.status != .noPerson
    return Window(
      start: prediction.timeRange.lowerBound, end: prediction.timeRange.upperBound,
      person: prediction.personID, hand: prediction.chirality, status: prediction.status,
      label: prediction.topLabel,
      confidence: isClassified ? prediction.confidence : nil,
      probabilities: isClassified ? prediction.probabilities : nil)
  }
}

// MARK: - Comma-separated values

extension ClassificationReport {
  static func csvHeader(isOfHands: Bool) -> String {
    "video,start,end,person,status,label,confidence" + (isOfHands ? ",hand\n" : "\n")
  }

  var csv: String {
    predictions.map { prediction in
      let cells = [
        file.path, prediction.timeRange.lowerBound.fixed(3),
        prediction.timeRange.upperBound.fixed(3), prediction.personID.map(String.init) ?? "",
        prediction.status.rawValue, prediction.topLabel ?? "",
        prediction.status == .noPerson ? "" : prediction.confidence.fixed(4),
      ]
      let side = isOfHands ? [prediction.chirality?.rawValue ?? ""] : []
      return CSV.line(cells + side)
    }.joined()
  }
}

// MARK: - For people

extension ClassificationReport {
  /// When what was done, and how long in all.
  var table: String {
    let seconds = predictions.map(\.timeRange.upperBound).max() ?? 0
    var text = "\(file.lastPathComponent)  \(seconds.fixed(1)) s  "
    let window =
      classifier.windowSize == 1
      ? "single frames" : "\(classifier.windowSize) frames at \(frameRate.fixed(0)) fps"
    text += "(\(modelName): \(window))\n\n"
    guard !predictions.isEmpty else {
      let nothing = isOfHands ? "No hand is seen for long enough." : "The file has no frames."
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
    let hand: [(String, TextTable.Alignment)] = isOfHands ? [("hand", .left)] : []
    var timeline = TextTable(
      [("from", .right), ("to", .right)] + hand + [("action", .left), ("confidence", .right)])
    for group in groups {
      let last = group.last
      let name = "\(last?.personID ?? 1) \(last?.chirality?.rawValue ?? "")"
      for stretch in Self.stretches(of: group) {
        timeline.add(
          [stretch.start.fixed(1), stretch.end.fixed(1)] + (isOfHands ? [name] : [])
            + [stretch.label, stretch.confidence.map(\.percent) ?? ""])
      }
    }
    return timeline.text
  }

  private struct Stretch {
    let label: String
    let start: Double
    var end: Double
    var confidences: [Double]

    var confidence: Double? {
      confidences.isEmpty ? nil : confidences.reduce(0, +) / Double(confidences.count)
    }
  }

  /// Windows with the same label after one another, as one.
  private static func stretches(of predictions: [ActionPrediction]) -> [Stretch] {
    var stretches: [Stretch] = []
    for (prediction, range) in zip(predictions, ActionSummary.stretches(of: predictions)) {
      let confidences = prediction.status == .noPerson ? [] : [prediction.confidence]
      if let last = stretches.last, last.label == prediction.label {
        stretches[stretches.count - 1].end = range.upperBound
        stretches[stretches.count - 1].confidences += confidences
      } else {
        stretches.append(
          Stretch(
            label: prediction.label, start: range.lowerBound, end: range.upperBound,
            confidences: confidences))
      }
    }
    return stretches
  }
}
