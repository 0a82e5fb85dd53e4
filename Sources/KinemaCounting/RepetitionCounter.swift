public import Foundation
public import KinemaPose

/// Counts the repetitions of whatever one person does, live or in a file.
///
/// The movement need not be known: everything counts that returns to the same posture in 0.3 to 8
/// seconds, again and again, at any frame rate; a single repetition counts where a file shows nothing else.
/// With a classifier's labels, each action is counted for itself, labels that are not counted, such as
/// "other" and "plank", have no repetitions, and a single repetition of an action counts too.
///
/// ```swift
/// var counter = try RepetitionCounter()
/// for frame in sequence.frames {
///   print(try counter.add(frame.poses.first, at: frame.time))
/// }
/// for repetition in try counter.finish().repetitions { print(repetition.start, repetition.end) }
/// ```
///
/// Three steps: periods (``PeriodEstimator``), filters (``StepFinder``), sets of repetitions
/// (``RepetitionSegmenter``).
public struct RepetitionCounter: Sendable {
  /// The longest time, in seconds, for which poses are stored to cut and grade repetitions.
  static let longestHistory = 3600.0
  /// How much longer than ``Rules/historyLength`` the stored poses become before the oldest are
  /// dropped, so that few frames have to.
  static let historyExcess = 1.2
  /// The time from one live evaluation to the next, in seconds.
  package static let updateInterval = Double(CountingStream.Pace.live.hop) / MotionTrack.frameRate
  /// The probability of all actions that are counted from which on a movement without a confident label is
  /// one of them: more likely than not.
  static let leastActionShare = 0.5

  /// The rules of counting.
  public let rules: Rules
  private let estimator: any PeriodEstimator
  var stream: CountingStream
  /// Holds the stream's final steps, live.
  var segmenter = RepetitionSegmenter()
  var timeline: ActionTimeline
  private var history: [MotionSample] = []
  /// The revisions of the newest frame.
  package internal(set) var revisions: [SetRevision] = []
  /// The movement that goes on and has no name yet.
  var unnamed: (start: Double, repetitions: Double)?
  /// The steps of the final pass.
  private var finalSteps: [CountingStep]?
  private var latest: ActionEvidence?
  private var lastSearch = -Double.infinity

  /// Creates a counter.
  ///
  /// - Throws: ``ModelFileError`` where the network is asked for and cannot be used.
  public init(rules: Rules = Rules()) throws {
    self.init(rules: rules, estimator: try rules.method.estimator())
  }

  package init(rules: Rules = Rules(), estimator: any PeriodEstimator) {
    self.rules = rules
    self.estimator = estimator
    stream = Self.stream(isLive: rules.isLive, estimator, rules)
    timeline = ActionTimeline(
      delay: rules.actionDelay,
      likeness: ActionLikeness(wholes: rules.wholes, groups: rules.groups))
  }

  private static func stream(
    isLive: Bool, _ estimator: any PeriodEstimator, _ rules: Rules
  ) -> CountingStream {
    let final = isLive ? nil : estimator.finalPass
    return CountingStream(
      StepFinder(final ?? estimator, countsPairs: rules.countsPairs),
      pace: final == nil ? .live : .file)
  }

  // MARK: - Frame by frame

  /// Adds the next frame where there is no classifier.
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where the person is not visible.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  /// - Returns: The count so far; it never falls.
  /// - Throws: ``ModelFileError`` where the network cannot be run.
  @discardableResult
  public mutating func add(_ pose: Pose?, at time: TimeInterval) throws -> Int {
    try add(pose, at: time, label: .anything)
    return count
  }

  /// Adds the next frame and the classifier's label at that time.
  ///
  /// - Parameters:
  ///   - pose: The person's pose, as in ``add(_:at:)``.
  ///   - time: The presentation time in seconds.
  ///   - action: The classifier's label; `nil` where none is confident enough.
  ///   - confidence: The confidence of the label, from 0 to 1.
  /// - Returns: The count of all actions so far; it never falls.
  /// - Throws: ``ModelFileError`` where the network cannot be run.
  @discardableResult
  public mutating func add(
    _ pose: Pose?, at time: TimeInterval, action: String?, confidence: Double? = nil
  ) throws -> Int {
    try add(pose, at: time, label: label(of: action), confidence: confidence)
    return count
  }

  /// Adds the next frame and what a classifier says of the windows that it completes; the newest holds
  /// until the next comes.
  package mutating func add(
    _ pose: Pose?, at time: TimeInterval, evidence: [ActionEvidence]
  ) throws -> Int {
    add(evidence)
    try add(
      pose, at: time, label: label(of: latest),
      confidence: latest?.action == nil ? nil : latest?.confidence)
    return count
  }

  private mutating func add(_ evidence: [ActionEvidence]) {
    for window in evidence { timeline.likeness.add(window) }
    latest = evidence.last ?? latest
  }

  private func label(of evidence: ActionEvidence?) -> ActionTimeline.Label {
    guard let evidence, evidence.action == nil else { return label(of: evidence?.action) }
    let counted = evidence.probabilities.reduce(0) {
      rules.kinds[$1.key] == .counted ? $0 + $1.value : $0
    }
    return counted >= Self.leastActionShare ? .unnamed : .unknown
  }

  private func label(of action: String?) -> ActionTimeline.Label {
    guard let action else { return .unknown }
    guard rules.kinds[action] != .counted else { return .action(action) }
    return rules.kinds.isExercise(action) ? .hold(action) : .nothing
  }

  private mutating func add(
    _ pose: Pose?, at time: TimeInterval, label: ActionTimeline.Label, confidence: Double? = nil
  ) throws {
    guard time.isFinite, time > stream.lastTime ?? -.infinity else { return }
    let sample = MotionSample(pose, at: time, aspectRatio: rules.aspectRatio)
    let isNewBout = timeline.add(label, at: time, confidence: confidence)
    takeRevisions()
    history.append(sample)
    finalSteps = nil
    if let first = history.first, time - first.time > Self.historyExcess * rules.historyLength {
      let oldest = time - rules.historyLength
      history.removeAll { $0.time < oldest }
      timeline.likeness.removeWindows(before: oldest)
    }
    let isNew = try stream.add(sample)
    guard rules.isLive else { return }
    let isSearching = isWaiting && time - lastSearch >= SingleRepetition.interval
    if isNew || isNewBout || isSearching || !revisions.isEmpty { updateCount() }
  }

  // MARK: - Live

  /// How much the present movement resembles the training examples of its action, from 0 to 1; `nil`
  /// while there is no label.
  ///
  /// It is the ``Repetition/confidence`` of the time that one repetition takes.
  public var confidence: Double? {
    guard let time = stream.lastTime, let bout = timeline.currentBout,
      let action = timeline.set(ofBout: bout)?.action
    else { return nil }
    let period = stream.provisional.last { $0.isActive }?.period ?? 1
    return confidence(of: action, in: (time - max(period, 1))..<time)
  }

  /// Repetitions a minute at present; `nil` at rest.
  public var tempo: Double? {
    guard rules.isLive, let last = stream.provisional.last, last.isActive else { return nil }
    return 60 / last.period
  }

  /// The repetitions that are complete by now and begun after a time in seconds, oldest first, cut at
  /// the turning points so far: a coach speaks about each when it has ended.
  ///
  /// They are those of the ``counts`` but for single repetitions, the last second or two, and where
  /// later windows change what was counted.
  package func completeRepetitions(after end: Double) -> [Repetition] {
    guard let time = stream.lastTime else { return [] }
    var current = segmenter
    current.add(stream.committed[current.stepCount...], timeline)
    current.rounding = RepetitionSegmenter.liveRounding
    current.add(stream.provisional, timeline)
    current.finish(timeline)
    return withConfidences(
      RepetitionCutter(steps: stream.steps, samples: history)
        .complete(of: current, after: end, at: time))
  }

  /// Whether the present bout has no repetition yet.
  private var isWaiting: Bool {
    guard let bout = timeline.currentBout, timeline.bouts[bout].label != nil else { return false }
    return segmenter.singles[bout] == nil && segmenter.sets(ofBout: bout).isEmpty
  }

  private mutating func updateCount() {
    segmenter.add(stream.committed[segmenter.stepCount...], timeline)
    guard let time = stream.lastTime else { return }
    var current = segmenter
    current.rounding = RepetitionSegmenter.liveRounding
    current.add(stream.provisional, timeline)
    unnamed = current.unnamed
    current.finish(timeline)
    if let bout = timeline.currentBout, isWaiting, current.sets(ofBout: bout).isEmpty {
      lastSearch = time
      let end = segmenter.singles[bout - 1]?.upperBound
      segmenter.singles[bout] = single(ofBout: bout, from: end, to: time)
      current.singles = segmenter.singles
    }
    guard let place = timeline.sets.last, timeline.sets[place].kind == .counted,
      time - rules.actionDelay - timeline.sets[place].end <= SetCourse.longestPause
    else { return }
    let action = timeline.sets[place].action
    // What rounding leaves over in one set of an action counts in the next.
    let before = timeline.sets.repetitions(of: action, before: place)
    timeline.sets.count(
      current.count(of: action, timeline) - before, in: current.range(ofSet: place), of: place)
  }

  /// The single repetition of a bout that is complete at a time, begun after the one before.
  private func single(ofBout bout: Int, from start: Double?, to end: Double) -> Range<Double>? {
    guard let action = timeline.set(ofBout: bout)?.action else { return nil }
    // The first label's window begins before the label.
    let earliest = timeline.bouts[bout].start - 2 * rules.actionDelay
    let found = SingleRepetition.find(
      in: history, from: max(earliest, start ?? earliest), to: end)
    return found.flatMap { isLike(action, $0) ? $0 : nil }
  }

  /// Whether the movement in a range resembles an action enough for a single repetition.
  func isLike(_ action: String, _ range: Range<Double>) -> Bool {
    timeline.likeness.likeness(of: action, in: range) ?? 1 >= RepetitionSegmenter.leastLikeness
  }

  /// The single repetition of each bout before its first set, if it has one; without a classifier, that of
  /// a file in which nothing is repeated.
  private func singles(beside segmenter: RepetitionSegmenter) -> [Int: Range<Double>] {
    if timeline.isUnlabelled {
      guard !rules.isLive, segmenter.sets.isEmpty, let only = SingleRepetition.only(in: history)
      else { return [:] }
      return [0: only]
    }
    var singles: [Int: Range<Double>] = [:]
    for (number, bout) in timeline.bouts.enumerated()
    where timeline.set(ofBout: number)?.kind == .counted {
      let last = segmenter.sets(ofBout: number).first?.range.lowerBound ?? bout.end
      for end in sampledTimes(in: bout.start..<max(bout.start, last)) + [last]
      where singles[number] == nil {
        singles[number] = single(
          ofBout: number, from: singles[number - 1]?.upperBound, to: end)
      }
    }
    return singles
  }

  /// The times of samples in a range, ``SingleRepetition/finalInterval`` or more apart.
  private func sampledTimes(in range: Range<Double>) -> [Double] {
    history.reduce(into: []) { times, sample in
      guard range.contains(sample.time),
        sample.time - (times.last ?? -.infinity) >= SingleRepetition.finalInterval
      else { return }
      times.append(sample.time)
    }
  }

  // MARK: - At the end

  /// Ends the movement and returns its repetitions, recomputed with full context.
  ///
  /// Live, the ``count`` stays as it was shown.
  ///
  /// - Throws: ``ModelFileError`` where the network cannot be run.
  public mutating func finish() throws -> RepetitionSummary {
    try stream.finish()
    if rules.isLive { updateCount() }
    finalSteps = try fullContextSteps()
    let summary = summary
    if !rules.isLive { countSets(of: summary) }
    return summary
  }

  /// Ends the movement, with what a classifier says of the last windows.
  package mutating func finish(evidence: [ActionEvidence]) throws -> RepetitionSummary {
    add(evidence)
    if let last = evidence.last, let time = stream.lastTime {
      timeline.add(label(of: last), at: time)
      takeRevisions()
    }
    return try finish()
  }

  /// Ends the movement with labels that were decoded from all windows, in place of those so far.
  ///
  /// - Parameters:
  ///   - evidence: What a classifier says of the last windows.
  ///   - labels: What was decoded, as it is newest at each frame.
  ///   - actionDelay: The time from a moment to its label, in seconds.
  package mutating func finish(
    evidence: [ActionEvidence], labels: [(time: TimeInterval, evidence: ActionEvidence?)],
    actionDelay: TimeInterval
  ) throws -> RepetitionSummary {
    add(evidence)
    timeline = ActionTimeline(delay: actionDelay, likeness: timeline.likeness)
    for (time, window) in labels {
      timeline.add(
        label(of: window), at: time,
        confidence: window?.action == nil ? nil : window?.confidence)
    }
    takeRevisions()
    return try finish()
  }

  private func fullContextSteps() throws -> [CountingStep] {
    guard rules.isLive, estimator.finalPass != nil, let first = history.first else {
      return stream.steps
    }
    var final = Self.stream(isLive: false, estimator, rules)
    for sample in history { _ = try final.add(sample) }
    try final.finish()
    return stream.steps.prefix { $0.time < first.time } + final.steps
  }

  /// The repetitions so far; those of the last seconds may still change.
  public var summary: RepetitionSummary {
    let steps = finalSteps ?? stream.steps
    var segmenter = RepetitionSegmenter()
    segmenter.add(steps, timeline)
    segmenter.finish(timeline)
    segmenter.singles = singles(beside: segmenter)
    let repetitions = withConfidences(
      RepetitionCutter(steps: steps, samples: history)
        .repetitions(of: segmenter, timeline, attemptShare: rules.attemptShare))
    return RepetitionSummary(
      repetitions: RepetitionGrader.markAttempts(in: repetitions, share: rules.attemptShare),
      moments: steps.map {
        RepetitionSummary.Moment(
          time: $0.time, period: $0.isActive ? $0.period : nil, periodicity: $0.periodicity)
      })
  }

  private func withConfidences(_ repetitions: [Repetition]) -> [Repetition] {
    repetitions.map { repetition in
      var repetition = repetition
      let range = repetition.start..<max(repetition.start, repetition.end)
      repetition.confidence = confidence(of: repetition.action, in: range)
      return repetition
    }
  }

  private func confidence(of action: String?, in range: Range<Double>) -> Double? {
    action.flatMap { timeline.likeness.likeness(of: $0, in: range) }
      ?? timeline.confidence(in: range)
  }
}
