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
  /// Whether repetitions are compared with others: they need no rules then.
  private let isCompared: Bool

  init(_ options: CoachCommand, rulebook: Rulebook, posed: PosedFiles) throws {
    let exercise = options.exercise.map {
      $0.lowercased().replacing(" ", with: "_").replacing("-", with: "_")
    }
    guard exercise == nil || options.model == nil else {
      throw UsageError("--exercise and --model are alternatives; give one of them.")
    }
    try self.init(
      rulebook, exercise: exercise, model: options.model?.url, person: options.subject.person,
      isCompared: options.like != nil, posed: posed)
  }

  /// - Parameters:
  ///   - exercise: The exercise of all repetitions; `nil` where the model recognises it.
  ///   - model: The classifier; `nil` for `Workout`.
  ///   - person: Who is analysed; `nil` for the prominent person.
  ///   - isCompared: Whether repetitions are compared with others, so that they need no rules.
  init(
    _ rulebook: Rulebook, exercise: String? = nil, model: URL? = nil, person: Int? = nil,
    isCompared: Bool = false, posed: PosedFiles
  ) throws {
    coach = Coach(rulebook, qualities: try .builtIn)
    (self.posed, self.isCompared) = (posed, isCompared)
    self.exercise = exercise
    var plan = PersonAnalysis.Plan(counting: RepetitionCounter.Rules())
    if let exercise {
      if !isCompared { _ = try rulebook.exercise(exercise) }
    } else {
      plan.classifier = try ActionClassifier(contentsOf: model ?? BuiltInModel.workout.url)
    }
    plan.isLive = false
    self.plan = plan
    scope = person.map { .person($0) } ?? .prominent
  }

  /// A file's repetitions, and the frames in which they were found.
  struct Take {
    var results: SceneResults
    var frames: [(frame: PosedFrame, prominent: Pose?)] = []
    var track: BodyTrack
    var entries: [Entry]

    /// A repetition, or a part of a posture that is held.
    struct Entry {
      var label: String
      var start: Double
      var end: Double
      /// The time of the set that it belongs to.
      var set: ClosedRange<Double>
      /// The probability of its label; `nil` where that was given.
      var probability: Double?
      /// Whether the label of its set is certain.
      var isCertain = true
      var isHeld = false
    }
  }

  func report(
    of file: URL, like reference: FormReference?, annotation: OutputTarget?
  ) async throws -> CoachReport {
    if annotation != nil { try OutputTarget.checkPictures(of: file, FrameSource.kind(of: file)) }
    let take = try await take(of: file, scope)
    let entries = try forms(in: take).map { entry, form, isTooSmall in
      CoachReport.Entry(
        label: entry.label, start: entry.start, end: entry.end, isHeld: entry.isHeld,
        probability: entry.probability, hasRules: coach.rulebook.exercises[entry.label] != nil,
        isTooSmall: isTooSmall, form: form,
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
    if let annotation {
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
    // The ids of another file are of other people.
    let take = try await take(of: file, .prominent)
    guard
      let reference = FormReference(try forms(in: take).compactMap(\.form))
    else {
      throw CommandFailure(
        .badData, "\(path) has no repetition that can be measured; name another video.")
    }
    return reference
  }

  private typealias Formed = (entry: Take.Entry, form: RepetitionForm?, isTooSmall: Bool)

  /// The repetitions with their forms; those that are too small have none.
  private func forms(in take: Take) throws -> [Formed] {
    let all = try take.entries.map { (entry: $0, form: try form(of: $0, in: take)) }
    let travels = Dictionary(grouping: all, by: \.entry.label)
      .mapValues { $0.compactMap(\.form?.travel) }
    return all.map { entry, form in
      let isTooSmall = Coach.isTooSmall(form?.travel, among: travels[entry.label] ?? [])
      return (entry, isTooSmall ? nil : form, isTooSmall)
    }
  }

  /// The form of a repetition; `nil` where its exercise has no rules and nothing is compared, or nothing can be
  /// measured.
  private func form(of entry: Take.Entry, in take: Take) throws -> RepetitionForm? {
    let hasRules = coach.rulebook.exercises[entry.label] != nil
    guard hasRules || isCompared else { return nil }
    var form =
      hasRules
      ? try coach.form(
        of: entry.label, from: entry.start, to: entry.end, within: entry.set, in: take.track)
      : coach.unruledForm(
        of: entry.label, from: entry.start, to: entry.end, within: entry.set, in: take.track)
    form?.isCertain = entry.isCertain
    return form
  }

  private func take(of file: URL, _ scope: SceneAnalysis.Scope) async throws -> Take {
    let input = SceneResults.Input(file)
    guard input.kind != .stillImage else {
      throw CommandFailure(
        .badData, "\(file.path) is a picture; a repetition takes a video or a file of poses.")
    }
    var run = SceneRun(input, plan, scope)
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
    let entries = sets(of: results.summary.repetitions) + holds(in: results)
    return Take(
      results: results, frames: frames, track: track,
      entries: entries.sorted { $0.start < $1.start })
  }

  // MARK: - Sets

  private func sets(of repetitions: [Repetition]) -> [Take.Entry] {
    if let exercise, isHeld(exercise) { return [] }
    return RepetitionSummary(repetitions: repetitions).sets.flatMap { set in
      let range = (set.first?.start ?? 0)...(set.map(\.end).max() ?? 0)
      let isCertain = exercise != nil || Coach.isCertain(set.map(\.confidence))
      return set.map {
        Take.Entry(
          label: exercise ?? $0.action ?? "", start: $0.start, end: $0.end, set: range,
          probability: exercise == nil ? $0.confidence : nil, isCertain: isCertain)
      }
    }
  }

  // MARK: - Postures that are held

  /// How long the parts are that a posture is evaluated in, and the least time of the last, in seconds.
  private static let holdSeconds = 3.0
  private static let leastHold = 1.5

  private func isHeld(_ label: String) -> Bool {
    coach.rulebook.exercises[label].map { $0.lead == nil } ?? false
  }

  /// Parts of what is held and has rules: of all of the time where it was given.
  private func holds(in results: SceneResults) -> [Take.Entry] {
    if let exercise {
      guard isHeld(exercise), let range = results.timeRange else { return [] }
      return Self.parts(of: exercise, in: range.lowerBound..<range.upperBound, probability: nil)
    }
    let windows = zip(results.predictions, ActionSummary.stretches(of: results.predictions))
      .filter { $0.0.isModelLabel && isHeld($0.0.label) }
    var holds: [(label: String, range: Range<Double>, probabilities: [Double])] = []
    for (window, range) in windows {
      let probability = window.probabilities[window.label] ?? 0
      if let last = holds.last, last.label == window.label,
        range.lowerBound <= last.range.upperBound
      {
        let end = max(last.range.upperBound, range.upperBound)
        holds[holds.count - 1].range = last.range.lowerBound..<end
        holds[holds.count - 1].probabilities.append(probability)
      } else {
        holds.append((window.label, range, [probability]))
      }
    }
    return holds.flatMap { hold in
      let sum = hold.probabilities.reduce(0, +)
      return Self.parts(
        of: hold.label, in: hold.range, probability: sum / Double(hold.probabilities.count))
    }
  }

  private static func parts(
    of label: String, in range: Range<Double>, probability: Double?
  ) -> [Take.Entry] {
    let parts = stride(from: range.lowerBound, to: range.upperBound, by: holdSeconds)
      .map { $0..<min($0 + holdSeconds, range.upperBound) }
      .filter { $0.upperBound - $0.lowerBound >= leastHold }
    let isCertain = Coach.isCertain(parts.map { _ in probability })
    return parts.map { part in
      Take.Entry(
        label: label, start: part.lowerBound, end: part.upperBound,
        set: range.lowerBound...range.upperBound, probability: probability, isCertain: isCertain,
        isHeld: true)
    }
  }
}
