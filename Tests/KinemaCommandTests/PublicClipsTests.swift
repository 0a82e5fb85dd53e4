import Foundation
import KinemaTestSupport
import Testing

/// A labelled segment of a clip in ../shared.
private struct Segment {
  let file: String
  let label: String
  let range: ClosedRange<Double>

  /// The segments of one split with a person.
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

/// Models on real clips, all the way from the files.
@Suite(
  "Public clips", .serialized, .enabled(if: SharedData.isPresent, SharedData.reason))
struct PublicClipsTests {
  /// The poses of all test clips, a file of lines for each.
  static let poses: TemporaryFolder? = {
    guard let folder = try? TemporaryFolder(), let segments = try? Segment.all(split: "test")
    else { return nil }
    let clips = Set(segments.map(\.file)).sorted().map { SharedData.url("clips/\($0)").path }
    let result = try? Tool.run(
      ["pose"] + clips + ["--format", "jsonl", "--output", folder.path("")])
    return result?.status == 0 ? folder : nil
  }()

  /// The labels of the clips that Apple's model knows, as it names them.
  static let appleExercises = [
    "jumping_jacks": "Jumping Jacks", "lunges": "Lunges", "burpees": "Burpees",
  ]
  /// What the built-in model names; everything else is another action.
  static let exercises: Set = ["jumping_jacks", "lunges", "burpees", "squats", "push_ups"]
  /// Variants between two classes, which are not scored.
  static let variants: Set = [
    "seal_jacks", "star_jumps", "jump_squats", "jump_lunges", "side_lunges", "split_squats",
  ]

  @Test("Apple's sample model names the exercises of the test clips")
  func appleModel() throws {
    let segments = try Segment.all(split: "test")
    #expect(segments.count == 40)
    let folder = try #require(Self.poses)
    let model = SharedData.url("models/apple_exercise_T64.mlmodel").path
    var windows: [String: [[String: Any]]] = [:]
    for file in Set(segments.map(\.file)) {
      let result = try Tool.run(
        "classify", Self.lines(of: file, in: folder).path, "--model", model, "--format", "json")
      #expect(result.status == 0, "\(file): \(result.errors)")
      windows[file] = try Tool.json(result.output)["windows"] as? [[String: Any]]
    }
    var rightExercises = 0
    var rightOthers = 0
    var report: [String] = []
    for segment in segments {
      let top = Self.topLabel(of: segment, in: windows[segment.file] ?? [])
      let expected = Self.appleExercises[segment.label]
      let isRight = expected.map { $0 == top } ?? !Self.appleExercises.values.contains(top ?? "")
      if isRight { expected == nil ? (rightOthers += 1) : (rightExercises += 1) }
      if !isRight { report.append("\(segment.file) \(segment.label): \(top ?? "–")") }
    }
    #expect(rightExercises == 13, "\(report)")
    #expect(rightExercises + rightOthers >= 34, "\(report)")
  }

  @Test(
    "a built-in model names which of five exercises is done in the segments of the test clips",
    arguments: [("Exercise", 36), ("Workout", 33)])
  func builtInModel(model: String, least: Int) throws {
    let segments = try Segment.all(split: "test").filter { !Self.variants.contains($0.label) }
    #expect(segments.count == 39)
    let folder = try #require(Self.poses)
    var rightCount = 0
    var report: [String] = []
    for (index, segment) in segments.enumerated() {
      let cut = folder.url("\(model)\(index).jsonl")
      try Self.cut(segment, from: Self.lines(of: segment.file, in: folder), to: cut)
      let result = try Tool.run("classify", cut.path, "--model", model, "--format", "json")
      #expect(result.status == 0, "\(segment.file): \(result.errors)")
      let windows = try #require(try Tool.json(result.output)["windows"] as? [[String: Any]])
      var sums: [String: Double] = [:]
      for case let probabilities as [String: Double] in windows.compactMap({ $0["probabilities"] })
      {
        for (label, probability) in probabilities { sums[label, default: 0] += probability }
      }
      let top = sums.max { $0.value < $1.value }?.key ?? "other_action"
      let exercise = Self.exercises.contains(top) ? top : nil
      if exercise == (Self.exercises.contains(segment.label) ? segment.label : nil) {
        rightCount += 1
      } else {
        report.append("\(segment.file) \(segment.label): \(top)")
      }
    }
    #expect(rightCount >= least, "\(report)")
  }

  private static func lines(of file: String, in folder: TemporaryFolder) -> URL {
    folder.url(file).deletingPathExtension().appendingPathExtension("jsonl")
  }

  /// Writes the lines of a segment's own time span.
  private static func cut(_ segment: Segment, from source: URL, to target: URL) throws {
    let lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").filter {
      let time = try Tool.json(String($0))["time"] as? Double ?? -1
      return segment.range.contains(time)
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: target)
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
