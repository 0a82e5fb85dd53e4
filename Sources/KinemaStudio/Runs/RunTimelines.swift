package import Foundation
import KinemaAction
import KinemaCounting
import KinemaFiles
import KinemaPose
import KinemaTraining
import KinemaVision

/// What runs' models recognise in videos: made once, as JSON for the page.
package struct RunTimelines: Sendable {
  private struct Key: Hashable {
    let model: FileVersion
    let media: FileVersion
    let path: String
  }

  /// The share of the work until the poses are there.
  private static let poseShare = 0.7

  private let threadCount: @Sendable () -> Int
  private let results = ResultCache<Key, Data>()

  init(threadCount: @escaping @Sendable () -> Int) { self.threadCount = threadCount }

  /// The timeline of a video or pose file by the model of a run, or of a snapshot; the first question
  /// starts the work.
  ///
  /// Poses come from the project's cache, which also keeps new ones.
  ///
  /// - Throws: ``StudioError`` where file or model is missing, or too many are made already; what
  ///   the work failed with.
  package func timeline(
    of media: URL, by run: RunFolder, snapshot: Int? = nil, in project: Project
  ) async throws -> SlowAnswer<Data> {
    let model = try run.model(of: snapshot)
    guard let version = FileVersion(media) else {
      throw StudioError(.noMedium(file: media.lastPathComponent))
    }
    return try await results.answer(
      Key(model: model.version, media: version, path: media.path)
    ) { [extraction = project.extraction, threadCount] progress in
      try await Self.timeline(
        of: media, model: model.url, extraction, threadCount: max(1, threadCount()),
        progress: progress)
    }
  }

  // MARK: - Work

  private static func timeline(
    of media: URL, model: URL, _ extraction: FeatureExtractor.Configuration, threadCount: Int,
    progress: @Sendable (Double) -> Void
  ) async throws -> Data {
    let classifier = try await Background.run { _ in try ActionClassifier(contentsOf: model) }
    var options = FrameSource.Options(subject: .bodies(extraction.extractor))
    options.cache = try extraction.cacheFolder.map(PoseCache.init)
    let source = FrameSource(
      contentsOf: media, options: options,
      pool: PosePool(workerCount: threadCount, isInBackground: true))
    var frames: [PosedFrame] = []
    for try await frame in source {
      frames.append(frame)
      guard frames.count % 30 == 0, let total = source.estimatedFrameCount, total > 0 else {
        continue
      }
      progress(poseShare * min(1, Double(frames.count) / Double(total)))
    }
    progress(poseShare)
    return try await Background.run { [frames] check in
      try json(of: frames, classifier: classifier, check: check)
    }
  }

  private static func json(
    of frames: [PosedFrame], classifier: ActionClassifier, check: () throws -> Void
  ) throws -> Data {
    var rules = ActionRecognizer.Rules(of: classifier)
    // One window follows the other.
    rules.stride = classifier.windowSize
    var plan = PersonAnalysis.Plan(
      classifier: classifier, recognition: rules,
      counting: classifier.joints == JointKey.body ? RepetitionCounter.Rules() : nil)
    plan.isLive = false
    plan.endsWithFullWindow = true
    var scene = SceneAnalysis(plan, scope: .prominent)
    var predictions: [ActionPrediction] = []
    for frame in frames {
      try check()
      predictions += try scene.add(
        frame.poses, at: frame.time, aspectRatio: frame.aspectRatio
      ).predictions
    }
    let ending = try scene.finish()
    predictions += ending.predictions
    let rate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    let object: JSONObject = [
      "windowSeconds": Double(classifier.windowSize) / rate, "frameRate": rate,
      "windows": windows(predictions),
      "repetitions": ending.repetitions.flatMap(\.summary.repetitions).map { repetition in
        ["start": repetition.start, "end": repetition.end]
      },
    ]
    return try object.jsonText(isPretty: false)
  }

  /// The windows one after the other: of the last one, what the window before does not cover.
  private static func windows(_ predictions: [ActionPrediction]) -> [JSONObject] {
    var end = 0.0
    return predictions.map { prediction in
      defer { end = prediction.timeRange.upperBound }
      return [
        "start": max(end, prediction.timeRange.lowerBound), "end": prediction.timeRange.upperBound,
        "status": prediction.status.rawValue, "label": JSONObject.orNull(prediction.topLabel),
        "confidence": prediction.confidence, "probabilities": prediction.probabilities,
      ]
    }
  }
}
