import Foundation
import Kinema
import KinemaCoach

/// The analysis of files by `kinema coach`.
struct CoachRun: Sendable {
  private let coach: Coach
  private let plan: PersonAnalysis.Plan
  private let scope: SceneAnalysis.Scope
  /// The exercise of all repetitions; `nil` where the classifier recognises it.
  private let exercise: String?
  private let posed: PosedFiles

  init(_ options: CoachCommand, rulebook: Rulebook, posed: PosedFiles) throws {
    coach = Coach(rulebook)
    self.posed = posed
    exercise = options.exercise.map {
      $0.lowercased().replacing(" ", with: "_").replacing("-", with: "_")
    }
    if let exercise { _ = try rulebook.exercise(exercise) }
    guard exercise == nil || options.model == nil else {
      throw UsageError("--exercise and --model are alternatives; give one of them.")
    }
    var plan = PersonAnalysis.Plan(counting: RepetitionCounter.Rules())
    if exercise == nil {
      plan.classifier = try ActionClassifier(
        contentsOf: options.model?.url ?? BuiltInModel.workout.url)
    }
    plan.isLive = false
    self.plan = plan
    scope = options.person.map { .person($0) } ?? .prominent
  }

  /// A file's repetitions, and the frames in which they were found.
  struct Take {
    var results: SceneResults
    var frames: [(frame: PosedFrame, prominent: Pose?)] = []
    var track: BodyTrack
    /// Each repetition's exercise and the time of the set that it belongs to.
    var repetitions: [Entry]

    typealias Entry = (repetition: Repetition, label: String, set: ClosedRange<Double>)
  }

  func report(
    of file: URL, like reference: FormReference?, annotation: OutputTarget?
  ) async throws -> CoachReport {
    let take = try await take(of: file)
    let entries = try forms(in: take).map { entry, form, isTooSmall in
      CoachReport.Entry(
        label: entry.label, start: entry.repetition.start, end: entry.repetition.end,
        hasRules: coach.rulebook.exercises[entry.label] != nil, isTooSmall: isTooSmall, form: form,
        differences: form.flatMap { reference?.differences(of: $0) })
    }
    let report = CoachReport(
      input: take.results.input, timeRange: take.results.timeRange, entries: entries,
      frames: take.frames.map { ($0.frame.time, $0.prominent) },
      aspectRatio: take.frames.first?.frame.aspectRatio ?? 1,
      isRecognised: exercise == nil, isCompared: reference != nil)
    if let reference {
      report.otherExercises(than: reference).forEach(StandardStreams.printMessage)
    }
    if let annotation, take.results.input.kind == .video {
      let annotator = try Annotator(target: annotation, input: file, isStillImage: false)
      defer { annotator.cancel() }
      try await annotator.annotate(file, kind: .video, frames: take.frames) { frame, _ in
        SceneCaptions(foot: report.caption(at: frame.time))
      }
    }
    return report
  }

  /// What the repetitions are compared with.
  func reference(_ path: String?) async throws -> FormReference? {
    guard let path else { return nil }
    guard let file = try InputFiles.resolve([path], includingPoseFiles: true).first else {
      return nil
    }
    let take = try await take(of: file)
    guard
      let reference = FormReference(try forms(in: take).compactMap(\.form))
    else {
      throw CommandFailure(
        .badData, "\(path) has no repetition of an exercise that has rules; name another video.")
    }
    return reference
  }

  private typealias Formed = (entry: Take.Entry, form: RepetitionForm?, isTooSmall: Bool)

  /// The repetitions with their forms; those that are too small have none.
  private func forms(in take: Take) throws -> [Formed] {
    let all = try take.repetitions.map { (entry: $0, form: try form(of: $0, in: take)) }
    let travels = Dictionary(grouping: all, by: \.entry.label)
      .mapValues { $0.compactMap(\.form?.travel) }
    return all.map { entry, form in
      let isTooSmall = Coach.isTooSmall(form?.travel, among: travels[entry.label] ?? [])
      return (entry, isTooSmall ? nil : form, isTooSmall)
    }
  }

  /// The form of a repetition; `nil` where its exercise has no rules, or nothing can be measured.
  private func form(of entry: Take.Entry, in take: Take) throws -> RepetitionForm? {
    guard coach.rulebook.exercises[entry.label] != nil else { return nil }
    return try coach.form(
      of: entry.label, from: entry.repetition.start, to: entry.repetition.end, within: entry.set,
      in: take.track)
  }

  private func take(of file: URL) async throws -> Take {
    let kind = FrameSource.kind(of: file)
    guard kind != .stillImage else {
      throw CommandFailure(
        .badData, "\(file.path) is a picture; a repetition takes a video or a file of poses.")
    }
    var run = SceneRun(
      .init(path: file.path, name: file.lastPathComponent, kind: kind), plan, scope)
    var frames: [(frame: PosedFrame, prominent: Pose?)] = []
    try await posed.forEachFrame(of: file) { frame in
      let step = try run.add(frame)
      var frame = frame
      frame.poses = step.poses
      frames.append((frame, step.prominent))
    }
    let results = try run.finish()
    let shape = frames.first?.frame.aspectRatio ?? 1
    let track = BodyTrack(frames.map { ($0.frame.time, $0.prominent) }, aspectRatio: shape)
    return Take(
      results: results, frames: frames, track: track,
      repetitions: sets(of: results.summary.repetitions))
  }

  /// The longest pause within a set, from the end of a repetition to the start of the next, in
  /// seconds; a set is done at one place, where limbs are measured.
  private static let longestPause = 4.0

  private func sets(
    of repetitions: [Repetition]
  ) -> [Take.Entry] {
    var sets: [[Repetition]] = []
    for repetition in repetitions {
      if let last = sets.last?.last, last.action == repetition.action,
        repetition.start - last.end < Self.longestPause
      {
        sets[sets.count - 1].append(repetition)
      } else {
        sets.append([repetition])
      }
    }
    return sets.flatMap { set in
      let range = (set.first?.start ?? 0)...(set.map(\.end).max() ?? 0)
      return set.map { ($0, exercise ?? $0.action ?? "", range) }
    }
  }
}
