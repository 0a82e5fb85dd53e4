package import Foundation
import KinemaAction
import KinemaFiles
import KinemaPose
import KinemaTraining
import KinemaVision

/// What runs' models recognise in videos: made once, as JSON for the page.
package actor RunTimelines {
  package enum Answer: Sendable {
    case working(fraction: Double)
    case done(Data)
  }

  private struct Key: Hashable {
    let model: FileVersion
    let media: FileVersion
    let path: String
  }

  private struct Job {
    var result: Result<Answer, any Error> = .success(.working(fraction: 0))
    var task: Task<Void, Never>?
  }

  /// How many results are kept.
  private static let capacity = 16
  /// How many are made at the same time.
  private static let maximumWorkCount = 2
  /// The share of the work until the poses are there.
  private static let poseShare = 0.7

  private let threadCount: @Sendable () -> Int
  private var jobs: [Key: Job] = [:]
  private var order: [Key] = []

  package init(threadCount: @escaping @Sendable () -> Int) { self.threadCount = threadCount }

  deinit { for job in jobs.values { job.task?.cancel() } }

  /// The timeline of a video or pose file by the model of a run; the first question starts the work.
  ///
  /// Poses come from the project's cache, which also keeps new ones.
  ///
  /// - Throws: ``StudioError`` where file or model is missing, or two are made already; what the
  ///   work failed with.
  package func timeline(of media: URL, by run: RunFolder, in project: Project) throws -> Answer {
    guard let modelVersion = FileVersion(run.model) else {
      throw StudioError(
        .conflict, "The run has no model yet: wait for its end, or make a snapshot.")
    }
    guard let version = FileVersion(media) else {
      throw StudioError(.notFound, "There is no file \(media.lastPathComponent).")
    }
    let key = Key(model: modelVersion, media: version, path: media.path)
    if let job = jobs[key] {
      // A failure is reported once; the next question tries again.
      if case .failure = job.result { jobs[key] = nil }
      return try job.result.get()
    }
    guard jobs.values.count(where: { $0.task != nil }) < Self.maximumWorkCount else {
      throw StudioError(.busy, "Other videos are being processed: try again in a moment.")
    }
    var job = Job()
    let extraction = project.extraction
    let model = run.model
    job.task = Task(priority: .utility) { [threadCount, weak self] in
      let result: Result<Answer, any Error>
      do {
        let data = try await Self.timeline(
          of: media, model: model, extraction, threadCount: max(1, threadCount())
        ) { [weak self] fraction in
          await self?.note(fraction, key)
        }
        result = .success(.done(data))
      } catch {
        result = .failure(error)
      }
      await self?.finish(key, result)
    }
    jobs[key] = job
    return try job.result.get()
  }

  private func note(_ fraction: Double, _ key: Key) {
    jobs[key]?.result = .success(.working(fraction: fraction))
  }

  private func finish(_ key: Key, _ result: Result<Answer, any Error>) {
    jobs[key]?.result = result
    jobs[key]?.task = nil
    order.removeAll { $0 == key }
    order.append(key)
    while order.count > Self.capacity { jobs[order.removeFirst()] = nil }
  }

  // MARK: - Work

  private static func timeline(
    of media: URL, model: URL, _ extraction: FeatureExtractor.Configuration, threadCount: Int,
    progress: @Sendable (Double) async -> Void
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
      await progress(poseShare * min(1, Double(frames.count) / Double(total)))
    }
    await progress(poseShare)
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
    var scene = SceneAnalysis(
      PersonAnalysis.Plan(
        classifier: classifier, recognition: rules,
        counting: classifier.joints == JointKey.body ? RepetitionCounter.Rules() : nil),
      scope: .prominent)
    var predictions: [ActionPrediction] = []
    for frame in frames {
      try check()
      let shape = frame.size.map { Float($0.width) / Float(max(1, $0.height)) }
      predictions += try scene.add(frame.poses, at: frame.time, aspectRatio: shape).predictions
    }
    let ending = try scene.finish()
    predictions += ending.predictions
    let rate = classifier.frameRate ?? ActionRecognizer.defaultFrameRate
    let object: JSONObject = [
      "windowSeconds": Double(classifier.windowSize) / rate, "frameRate": rate,
      "windows": predictions.map(window),
      "repetitions": ending.repetitions.flatMap(\.summary.repetitions).map { repetition in
        ["start": repetition.start, "end": repetition.end]
      },
    ]
    return try object.jsonText(isPretty: false)
  }

  private static func window(_ prediction: ActionPrediction) -> JSONObject {
    [
      "start": prediction.timeRange.lowerBound, "end": prediction.timeRange.upperBound,
      "status": prediction.status.rawValue, "label": JSONObject.orNull(prediction.topLabel),
      "confidence": prediction.confidence, "probabilities": prediction.probabilities,
    ]
  }
}
