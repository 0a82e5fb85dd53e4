package import Foundation
package import KinemaAction
import KinemaCounting
package import KinemaPose

/// Segments that a video seems to have: stretches that repeat, and those that a model knows.
package struct Suggestions: Sendable {
  package struct Suggestion: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable {
      case repetitions, model
    }

    package var start: Double
    package var end: Double
    package var label: String?
    /// From 0 to 1.
    package var confidence: Double
    /// The number of repetitions.
    package var count: Int?
    package var kind: Kind
  }

  /// A model that names them.
  package struct Namer: Sendable {
    /// The id of the model, or the path of its file.
    let id: String
    let version: FileVersion?
    let classifier: ActionClassifier

    /// A model of the live app.
    package init(id: String, _ classifier: ActionClassifier) {
      self.id = id
      self.classifier = classifier
      version = nil
    }

    /// The model of a run; throws ``StudioError`` where it has none yet.
    package init(_ run: RunFolder) async throws {
      let model = try run.model(of: nil)
      id = model.url.path
      version = model.version
      classifier = try await Background.run { _ in try ActionClassifier(contentsOf: model.url) }
    }
  }

  private struct Key: Hashable {
    var url: URL
    var version: FileVersion?
    var namer: String?
    var namerVersion: FileVersion?
  }

  /// The longest pause within a set, from the end of a repetition to the start of the next, in
  /// seconds.
  private static let longestPause = 2.0
  /// How many repetitions make a set.
  private static let fewestRepetitions = 2
  /// The share of a set that a model's segment must cover to name it.
  private static let namingShare = 0.5

  private let results = ResultCache<Key, [Suggestion]>()

  init() {}

  /// The suggestions for a file; starts the work where they are not known.
  ///
  /// - Throws: ``StudioError`` where too many are made already; what the work failed with.
  package func answer(
    for url: URL, poses: PoseSequence, aspectRatio: Float, namer: Namer?
  ) async throws -> SlowAnswer<[Suggestion]> {
    try await results.answer(
      Key(
        url: url, version: FileVersion(url), namer: namer?.id, namerVersion: namer?.version)
    ) { progress in
      try await Background.run { check in
        try Self.suggestions(
          in: poses, aspectRatio: aspectRatio, classifier: namer?.classifier, check: check,
          progress: progress)
      }
    }
  }

  // MARK: - Work

  /// The suggestions in poses, by their starts.
  package static func suggestions(
    in poses: PoseSequence, aspectRatio: Float, classifier: ActionClassifier?,
    check: () throws -> Void = {}, progress: (Double) -> Void = { _ in }
  ) throws -> [Suggestion] {
    let known =
      try classifier.map { try segments(in: poses, by: $0, check: check, progress: progress) } ?? []
    var sets = try repetitions(in: poses, aspectRatio: aspectRatio).filter {
      $0.count ?? 0 >= fewestRepetitions
    }
    for index in sets.indices {
      let best = known.max { overlap($0, sets[index]) < overlap($1, sets[index]) }
      guard let best else { continue }
      let share = overlap(best, sets[index]) / (sets[index].end - sets[index].start)
      if share >= namingShare { sets[index].label = best.label }
    }
    let others = known.filter { segment in
      !sets.contains { overlap($0, segment) > 0 && $0.label == segment.label }
    }
    return (sets + others).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  /// Sets of repetitions of the prominent person.
  static func repetitions(in poses: PoseSequence, aspectRatio: Float) throws -> [Suggestion] {
    var rules = RepetitionCounter.Rules()
    rules.aspectRatio = aspectRatio
    var sets: [Suggestion] = []
    for repetition in try RepetitionCounter.repetitions(in: poses, rules: rules).repetitions {
      let confidence = repetition.confidence ?? 1
      if let last = sets.indices.last, repetition.start - sets[last].end <= longestPause {
        let count = sets[last].count ?? 0
        sets[last].end = max(sets[last].end, repetition.end)
        sets[last].confidence =
          (sets[last].confidence * Double(count) + confidence) / Double(count + 1)
        sets[last].count = count + 1
      } else {
        sets.append(
          Suggestion(
            start: repetition.start, end: repetition.end, confidence: confidence, count: 1,
            kind: .repetitions))
      }
    }
    return sets.filter { $0.end > $0.start }
  }

  /// Segments of one label of a model, those of other actions left out.
  private static func segments(
    in poses: PoseSequence, by classifier: ActionClassifier, check: () throws -> Void,
    progress: (Double) -> Void
  ) throws -> [Suggestion] {
    var recognizer = ActionRecognizer(classifier: classifier)
    var predictions: [ActionPrediction] = []
    for (index, (frame, pose)) in zip(poses.frames, poses.prominentPoses).enumerated() {
      try check()
      predictions += try recognizer.add(pose, at: frame.time)
      if index % 300 == 299 { progress(Double(index) / Double(poses.frames.count)) }
    }
    predictions = recognizer.decoded(predictions + (try recognizer.finish()))
    let kinds = classifier.labelKinds
    var segments: [Suggestion] = []
    var count = 0.0
    for prediction in predictions where prediction.status == .action {
      guard let label = prediction.topLabel, kinds.isExercise(label) else { continue }
      if let last = segments.indices.last, segments[last].label == label,
        prediction.timeRange.lowerBound <= segments[last].end
      {
        segments[last].end = prediction.timeRange.upperBound
        segments[last].confidence =
          (segments[last].confidence * count + prediction.confidence) / (count + 1)
        count += 1
      } else {
        // Where windows of two labels overlap, the later one begins where the earlier one ends.
        let start = max(prediction.timeRange.lowerBound, segments.last?.end ?? 0)
        guard prediction.timeRange.upperBound > start else { continue }
        segments.append(
          Suggestion(
            start: start, end: prediction.timeRange.upperBound, label: label,
            confidence: prediction.confidence, kind: .model))
        count = 1
      }
    }
    return segments
  }

  private static func overlap(_ one: Suggestion, _ other: Suggestion) -> Double {
    max(0, min(one.end, other.end) - max(one.start, other.start))
  }
}
