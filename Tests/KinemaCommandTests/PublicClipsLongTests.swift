import Foundation
import Kinema
import KinemaTestSupport
import Testing

/// Models on the poses of real clips.
@Suite("Public clips", .enabled(if: SharedData.isPresent, SharedData.reason))
struct PublicClipsLongTests {
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
  func appleModel() async throws {
    let segments = PublicSegment.ofPeople
    #expect(segments.count == 40)
    let classifier = try ActionClassifier(
      contentsOf: SharedData.url("models/apple_exercise_T64.mlmodel"))
    var predictions: [String: [ActionPrediction]] = [:]
    for file in Set(segments.map(\.file)) {
      let poses = try await PublicClips.poses(of: file)
      predictions[file] = try Self.predictions(of: classifier, for: poses)
    }
    var rightExercises = 0
    var rightOthers = 0
    var report: [String] = []
    for segment in segments {
      let top = Self.topLabel(of: segment, in: predictions[segment.file] ?? [])
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
    arguments: [(BuiltInModel.exercise, 36), (.workout, 33)])
  func builtInModel(model: BuiltInModel, least: Int) async throws {
    let segments = PublicSegment.ofPeople.filter { !Self.variants.contains($0.label) }
    #expect(segments.count == 39)
    let classifier = try ActionClassifier(contentsOf: model.url)
    var rightCount = 0
    var report: [String] = []
    for segment in segments {
      var poses = try await PublicClips.poses(of: segment.file)
      poses.frames.removeAll { !segment.range.contains($0.time) }
      var sums: [String: Double] = [:]
      for prediction in try Self.predictions(of: classifier, for: poses) {
        sums.merge(prediction.probabilities, uniquingKeysWith: +)
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

  @Test("kinema classify prints the same windows")
  func command() async throws {
    let folder = try TemporaryFolder()
    let poses = try await PublicClips.poses(of: #require(PublicSegment.ofPeople.first?.file))
    try poses.write(to: folder.url("poses.npz"))
    let result = try Tool.run("classify", folder.path("poses.npz"), "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let windows = try #require(try Tool.json(result.output)["windows"] as? [[String: Any]])
    let classifier = try ActionClassifier(contentsOf: BuiltInModel.exercise.url)
    let predictions = try Self.predictions(of: classifier, for: poses)
    #expect(!predictions.isEmpty)
    #expect(windows.map { $0["label"] as? String } == predictions.map(\.topLabel))
    for (window, prediction) in zip(windows, predictions) {
      let end = try #require(window["end"] as? Double)
      #expect(abs(end - prediction.timeRange.upperBound) < 1e-6)
    }
  }

  /// The windows of the prominent person, as `kinema classify` has them.
  private static func predictions(
    of classifier: ActionClassifier, for poses: PoseSequence
  ) throws -> [ActionPrediction] {
    var plan = PersonAnalysis.Plan(classifier: classifier)
    plan.isLive = false
    var scene = SceneAnalysis(plan, scope: .prominent)
    var predictions: [ActionPrediction] = []
    for frame in poses.frames {
      predictions += try scene.add(frame.poses, at: frame.time).predictions
    }
    return predictions + (try scene.finish().predictions)
  }

  /// The model's label that most windows in the middle of which the segment lies have.
  private static func topLabel(
    of segment: PublicSegment, in predictions: [ActionPrediction]
  ) -> String? {
    var counts: [String: Int] = [:]
    for prediction in predictions where prediction.status == .action {
      let middle = (prediction.timeRange.lowerBound + prediction.timeRange.upperBound) / 2
      guard let label = prediction.topLabel, segment.range.contains(middle) else { continue }
      counts[label, default: 0] += 1
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
