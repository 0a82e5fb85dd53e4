import Foundation
import KinemaTestSupport
import Testing

/// A labelled stretch of a clip in ../shared.
private struct Segment {
  let file: String
  let label: String
  let range: ClosedRange<Double>

  /// The segments of one split, but for those in which nobody is seen.
  static func all(split: String) throws -> [Segment] {
    let index = try String(contentsOf: SharedData.url("clips/index.csv"), encoding: .utf8)
    return index.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard cells[11] == split, cells[1] != "no_person", let start = Double(cells[2]),
        let end = Double(cells[3])
      else { return nil }
      return Segment(file: cells[0], label: cells[1], range: start...end)
    }
  }
}

/// Apple's model on real clips, all the way from the file.
@Suite("Public clips", .enabled(if: SharedData.isPresent, SharedData.reason))
struct PublicClipsTests {
  /// The labels of the clips that the model knows, as it names them.
  static let exercises = [
    "jumping_jacks": "Jumping Jacks", "lunges": "Lunges", "burpees": "Burpees",
  ]

  @Test("Apple's sample model names the exercises of the test clips")
  func appleModel() throws {
    let segments = try Segment.all(split: "test")
    #expect(segments.count == 40)
    var windows: [String: [[String: Any]]] = [:]
    for file in Set(segments.map(\.file)) {
      let result = try Tool.run(
        "classify", SharedData.url("clips/\(file)").path, "--model",
        SharedData.url("models/apple_exercise_T64.mlmodel").path, "--format", "json")
      #expect(result.status == 0, "\(file): \(result.errors)")
      windows[file] = try Tool.json(result.output)["windows"] as? [[String: Any]]
    }
    var rightExercises = 0
    var rightOthers = 0
    var report: [String] = []
    for segment in segments {
      let top = Self.topLabel(of: segment, in: windows[segment.file] ?? [])
      let expected = Self.exercises[segment.label]
      let isRight = expected.map { $0 == top } ?? !Self.exercises.values.contains(top ?? "")
      if isRight { expected == nil ? (rightOthers += 1) : (rightExercises += 1) }
      if !isRight { report.append("\(segment.file) \(segment.label): \(top ?? "–")") }
    }
    #expect(rightExercises == 13, "\(report)")
    #expect(rightExercises + rightOthers >= 34, "\(report)")
  }

  /// The model's label that most windows in the middle of which the segment lies have.
  private static func topLabel(of segment: Segment, in windows: [[String: Any]]) -> String? {
    var counts: [String: Int] = [:]
    for window in windows where window["status"] as? String == "action" {
      guard let start = window["start"] as? Double, let end = window["end"] as? Double,
        let label = window["label"] as? String, segment.range.contains((start + end) / 2)
      else { continue }
      counts[label, default: 0] += 1
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
