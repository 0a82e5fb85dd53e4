import Foundation
import Kinema
import KinemaFiles
import KinemaReport

/// What was counted in one file, in the forms in which it is told.
struct CountingReport {
  let file: URL
  /// The times of the first and the last frame; `nil` where there is none.
  let timeRange: ClosedRange<Double>?
  let summary: RepetitionSummary

  /// What it contributes to a page.
  func clip(name: String? = nil, label: String? = nil, trueCount: Int? = nil) -> CountPage.Clip {
    CountPage.Clip(
      name: name ?? file.lastPathComponent, timeRange: timeRange, summary: summary, label: label,
      trueCount: trueCount)
  }
}

// MARK: - JSON

extension CountingReport: FileReport {
  private enum Key: String, CodingKey {
    case schema, video, count, counts, attempts, tempo, repetitions, series
  }

  private struct Line: Encodable {
    let start: Double
    let end: Double
    let duration: Double
    let action: String?
    let confidence: Double?
    let movingJoints: [String]?
    let rangeOfMotion: Double?
    let bendingJoint: String?
    let bend: Double?
    let symmetry: Double?
    let attempt: Bool?

    init(_ repetition: Repetition) {
      start = repetition.start
      end = repetition.end
      duration = repetition.duration
      action = repetition.action
      confidence = repetition.confidence
      let quality = repetition.quality
      movingJoints = quality?.movingJoints.map(\.rawValue)
      rangeOfMotion = quality?.rangeOfMotion
      bendingJoint = quality?.bendingJoint.rawValue
      bend = quality?.bend
      symmetry = quality?.symmetry
      attempt = quality?.isAttempt
    }
  }

  private struct Point: Encodable {
    let time: Double
    let count: Int
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(1, forKey: .schema)
    try container.encode(file.path, forKey: .video)
    try container.encode(summary.count, forKey: .count)
    if !summary.counts.isEmpty { try container.encode(summary.counts, forKey: .counts) }
    try container.encode(summary.attemptCount, forKey: .attempts)
    try container.encode(summary.tempo, forKey: .tempo)
    try container.encode(summary.repetitions.map(Line.init), forKey: .repetitions)
    let start = timeRange.map { [Point(time: $0.lowerBound, count: 0)] } ?? []
    let points = start + summary.series.map { Point(time: $0.time, count: $0.count) }
    try container.encode(points, forKey: .series)
  }
}

// MARK: - Comma-separated values

extension CountingReport {
  static let csvHeader =
    "video,repetition,start,end,duration,action,confidence,range,joint,bend,symmetry,attempt\n"

  /// A line for each repetition.
  var csv: String {
    summary.repetitions.enumerated().map { index, repetition in
      let quality = repetition.quality
      let cells = [
        file.path, "\(index + 1)", repetition.start.fixed(3), repetition.end.fixed(3),
        repetition.duration.fixed(3), repetition.action ?? "",
        repetition.confidence?.fixed(4) ?? "", quality?.rangeOfMotion.fixed(3) ?? "",
        quality?.bendingJoint.rawValue ?? "", quality?.bend.fixed(1) ?? "",
        quality?.symmetry.fixed(3) ?? "", quality.map { $0.isAttempt ? "yes" : "no" } ?? "",
      ]
      return CSV.line(cells)
    }.joined()
  }
}

// MARK: - For people

extension CountingReport {
  /// How many repetitions, how fast, and each of them.
  var table: String {
    let seconds = timeRange.map { $0.upperBound - $0.lowerBound } ?? 0
    var text = "\(file.lastPathComponent)  \(seconds.fixed(1)) s\n\n"
    let count = summary.count
    text += "  \(count) \(count == 1 ? "repetition" : "repetitions")"
    if let tempo = summary.tempo { text += ", \(tempo.fixed(0)) a minute" }
    if summary.attemptCount > 0 {
      text +=
        ", \(summary.attemptCount) of them \(summary.attemptCount == 1 ? "an attempt" : "attempts")"
    }
    text += "\n"
    for (action, count) in summary.counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      text += "  \(Caption.displayName(of: action)): \(count)\n"
    }
    guard count > 0 else { return text + "\n" }
    let hasActions = summary.repetitions.contains { $0.action != nil }
    let actionTitles: [(String, TextTable.Alignment)] = [("action", .left), ("likeness", .right)]
    var table = TextTable(
      [("", .right), ("from", .right), ("to", .right), ("seconds", .right)]
        + (hasActions ? actionTitles : [])
        + [("range", .right), ("bend", .left), ("symmetry", .right), ("", .left)])
    for (index, repetition) in summary.repetitions.enumerated() {
      let quality = repetition.quality
      let action = [
        repetition.action.map(Caption.displayName) ?? "–", repetition.confidence?.percent ?? "–",
      ]
      table.add(
        [
          "\(index + 1)", repetition.start.fixed(1), repetition.end.fixed(1),
          repetition.duration.fixed(2),
        ] + (hasActions ? action : []) + [
          quality?.rangeOfMotion.fixed(2) ?? "",
          quality.map { "\($0.bend.fixed(0))° \(Self.words($0.bendingJoint.rawValue))" } ?? "",
          quality?.symmetry.percent ?? "", quality?.isAttempt == true ? "attempt" : "",
        ])
    }
    return text + "\n" + table.text + "\n"
  }

  /// A name in camel case as words: `leftKnee` is `left knee`.
  private static func words(_ name: String) -> String {
    name.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
  }
}
