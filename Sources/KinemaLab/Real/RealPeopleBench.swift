import Foundation
package import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaStreams
import KinemaTraining
package import KinemaVision

/// `kinema bench real-people`: how right classifiers are about people in real clips, with the deviation over
/// the sources of the clips, by which recipes, rules and thresholds are chosen.
package struct RealPeopleBench: Sendable {
  /// Trainings of one recipe, which differ in their seed.
  package struct Candidate: Sendable {
    package let name: String
    package let trainings: [ActionClassifier]

    package init(name: String, trainings: [ActionClassifier]) {
      (self.name, self.trainings) = (name, trainings)
    }
  }

  /// A real clip that was processed once for all models.
  private struct PosedClip: Sendable {
    let clip: LabelledClips.Clip
    let frames: [PosedFrame]
    /// Of any movement.
    let repetitions: [Repetition]
  }

  private let clips: LabelledClips
  private let candidates: [Candidate]
  private let options: FrameSource.Options
  /// How many clips are processed at the same time; `nil` for one a core.
  package var threadCount: Int?

  package init(
    _ clips: LabelledClips, _ candidates: [Candidate], options: FrameSource.Options
  ) {
    (self.clips, self.candidates, self.options) = (clips, candidates, options)
  }

  /// - Throws: ``VideoError`` where a clip cannot be read, ``ActionError`` where a model cannot be run.
  package func run(
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> RealPeopleReport {
    let count = clips.clips.count * (1 + candidates.reduce(0) { $0 + $1.trainings.count })
    var done = 0
    let posed = try await posedClips { progress($0, count) }
    let sources = Array(Set(clips.clips.map(\.source))).sorted()
    var results: [RealPeopleReport.Result] = []
    for candidate in candidates {
      var trainings: [[RealPeopleTally]] = []
      var failures: [RealPeopleReport.Failure] = []
      for classifier in candidate.trainings {
        done += posed.count
        let readings = try await ConcurrentWork.run(
          posed.count, limit: threads, progress: { number, _ in progress(done + number, count) }
        ) {
          try Self.reading(
            of: posed[$0], after: Self.lead(of: $0, in: posed, classifier), by: classifier)
        }
        var tallies = [String: RealPeopleTally]()
        for (clip, reading) in zip(posed, readings) {
          tallies[clip.clip.source, default: .init()] += reading.tally
          failures += reading.failures
        }
        trainings.append(sources.map { tallies[$0] ?? .init() })
      }
      results.append(
        .init(
          name: candidate.name, exercises: Self.exercises(of: candidate.trainings.first),
          trainings: trainings, failures: failures))
    }
    return RealPeopleReport(
      results, clipCount: clips.clips.count, sourceCount: sources.count)
  }

  private var threads: Int { threadCount ?? ProcessInfo.processInfo.activeProcessorCount }

  private func posedClips(_ progress: (_ done: Int) -> Void) async throws -> [PosedClip] {
    let pool = PosePool.shared(workerCount: threads)
    return try await ConcurrentWork.run(
      clips.clips.count, limit: threads, progress: { number, _ in progress(number) }
    ) { [clips, options] in
      let clip = clips.clips[$0]
      var frames: [PosedFrame] = []
      for try await frame in FrameSource(contentsOf: clip.url, options: options, pool: pool) {
        frames.append(frame)
      }
      return PosedClip(
        clip: clip, frames: frames, repetitions: try Self.repetitions(in: frames))
    }
  }

  /// What ``CourseFit`` chooses by, for the first training of the first candidate.
  package func courseFit(
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) async throws -> CourseFit? {
    guard let classifier = candidates.first?.trainings.first else { return nil }
    // Every window is reported, those before the first full one too, and each with its newest half.
    var rules = ActionRecognizer.Rules(of: classifier)
    rules.confidenceThreshold = 0
    var course = rules.course ?? .init()
    course.live.recentShare = 0.5
    rules.course = course
    let count = clips.clips.count
    let posed = try await posedClips { progress($0, count) }
    let takes = try await ConcurrentWork.run(posed.count, limit: threads) { [rules] index in
      let (clip, frames) = (posed[index].clip, posed[index].frames)
      guard let first = frames.first, let last = frames.last else { return CourseFit.Take?.none }
      let running = Self.lead(of: index, in: posed, classifier).flatMap {
        RunningStream.frames(frames, after: $0.frames)
      }
      return CourseFit.Take(
        clip: clip, timeRange: first.time...last.time,
        windows: try Self.observed(frames, by: classifier, rules: rules).predictions,
        running: try running.map {
          try Self.observed($0, by: classifier, rules: rules).predictions
        })
    }
    return CourseFit(classifier, takes.compactMap(\.self))
  }

  private static func exercises(of classifier: ActionClassifier?) -> Set<String> {
    guard let classifier else { return [] }
    return Set(classifier.labels.filter { classifier.labelKinds.isExercise($0) })
  }

  // MARK: - A clip

  /// Counts what the prominent person does, without a classifier.
  private static func repetitions(in frames: [PosedFrame]) throws -> [Repetition] {
    var plan = PersonAnalysis.Plan(counting: .init())
    plan.isLive = false
    var scene = SceneAnalysis(plan, scope: .prominent)
    for frame in frames {
      _ = try scene.add(frame.poses, at: frame.time, aspectRatio: frame.aspectRatio)
    }
    return try scene.finish().repetitions.flatMap(\.summary.repetitions)
  }

  /// A clip of other people without an exercise that comes before a clip in a stream (``RunningStream``).
  private static func lead(
    of index: Int, in posed: [PosedClip], _ classifier: ActionClassifier
  ) -> PosedClip? {
    let labels = Set(classifier.labels)
    let leads = posed.filter { other in
      other.clip.source != posed[index].clip.source
        && other.frames.contains { !$0.poses.isEmpty }
        && other.clip.segments.allSatisfy { segment in
          RealLabels.truth(of: segment.label, among: labels)
            .map { !classifier.labelKinds.isExercise($0) } ?? false
        }
    }
    return leads.isEmpty ? nil : leads[index * 7 % leads.count]
  }

  private static func reading(
    of posed: PosedClip, after lead: PosedClip?, by classifier: ActionClassifier
  ) throws -> (tally: RealPeopleTally, failures: [RealPeopleReport.Failure]) {
    let (clip, frames) = (posed.clip, posed.frames)
    guard let first = frames.first, let last = frames.last else { return (.init(), []) }
    let (predictions, repetitions, seen) = try observed(frames, by: classifier)
    let windows = predictions.filter { !$0.isOpening }
    let decoded = ActionRecognizer(classifier: classifier).decoded(windows)
    var reading = ClipReading(
      clip: clip, labels: Set(classifier.labels), exercises: exercises(of: classifier),
      timeRange: first.time...last.time, decoded: decoded)
    reading.readSegments(frameTimes: frames.map(\.time), seen: seen)
    reading.readEvidence(windows)
    let groups = ActionRecognizer.Rules(of: classifier).groups ?? [:]
    reading.readTimelines(
      live: TimelineEvaluation.Stretch.ofStream(predictions, until: last.time), groups: groups)
    if let running = lead.flatMap({ RunningStream.frames(frames, after: $0.frames) }) {
      let predictions = try observed(running, by: classifier).predictions
      reading.readRunning(
        TimelineEvaluation.Stretch.ofStream(predictions, until: last.time), groups: groups)
    }
    reading.readCounts(posed.repetitions, named: repetitions)
    return (reading.tally, reading.failures)
  }

  /// What a stream says of the prominent person, by when windows end, and when they are seen.
  private static func observed(
    _ frames: [PosedFrame], by classifier: ActionClassifier, rules: ActionRecognizer.Rules? = nil
  ) throws -> (predictions: [ActionPrediction], repetitions: [Repetition], seen: [TimeInterval]) {
    var plan = PersonAnalysis.Plan(
      classifier: classifier, recognition: rules, counting: .init())
    plan.opensEarly = true
    var scene = SceneAnalysis(plan, scope: .prominent)
    var predictions: [ActionPrediction] = []
    var seen: [TimeInterval] = []
    for frame in frames {
      let step = try scene.add(frame.poses, at: frame.time, aspectRatio: frame.aspectRatio)
      predictions += step.predictions
      if step.prominent != nil { seen.append(frame.time) }
    }
    let ending = try scene.finish()
    predictions += ending.predictions
    predictions.sort { $0.timeRange.upperBound < $1.timeRange.upperBound }
    return (predictions, ending.repetitions.flatMap(\.summary.repetitions), seen)
  }
}
