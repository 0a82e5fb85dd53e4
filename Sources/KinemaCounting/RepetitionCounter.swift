public import Foundation
public import KinemaPose

/// Counts the repetitions of whatever one person does, live or in a file.
///
/// The movement need not be known: everything counts that returns to the same posture in 0.3 to 8
/// seconds, again and again, at any frame rate. With a classifier's labels, each action is counted for
/// itself, labels that are not counted, such as "other" and "plank", have no repetitions, and a single
/// repetition of an action counts too.
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
  /// The likeness to an action's examples that a single repetition needs: more likely than not.
  static let leastLikeness = 0.5

  /// The rules of counting.
  public let rules: Rules
  private let estimator: any PeriodEstimator
  private var stream: CountingStream
  /// Holds the stream's final steps, live.
  private var segmenter = RepetitionSegmenter()
  private var timeline: ActionTimeline
  private var likeness: ActionLikeness
  private var history: [MotionSample] = []
  /// The count of each action as it was shown; that of `nil` without a classifier.
  private var shown: [String?: Int] = [:]
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
    timeline = ActionTimeline(delay: rules.actionDelay)
    likeness = ActionLikeness(wholes: rules.wholes)
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
    return try add(
      pose, at: time, action: latest?.action,
      confidence: latest?.action == nil ? nil : latest?.confidence)
  }

  private mutating func add(_ evidence: [ActionEvidence]) {
    for window in evidence { likeness.add(window) }
    latest = evidence.last ?? latest
  }

  private func label(of action: String?) -> ActionTimeline.Label {
    switch action {
    case nil: .unknown
    case let name? where rules.kinds[name] != .counted: .nothing
    case let name?: .action(name)
    }
  }

  private mutating func add(
    _ pose: Pose?, at time: TimeInterval, label: ActionTimeline.Label, confidence: Double? = nil
  ) throws {
    guard time.isFinite, time > stream.lastTime ?? -.infinity else { return }
    let sample = MotionSample(pose, at: time, aspectRatio: rules.aspectRatio)
    let isNewBout = timeline.add(label, at: time, confidence: confidence)
    history.append(sample)
    finalSteps = nil
    if let first = history.first, time - first.time > Self.historyExcess * rules.historyLength {
      let oldest = time - rules.historyLength
      history.removeAll { $0.time < oldest }
      likeness.removeWindows(before: oldest)
    }
    let isNew = try stream.add(sample)
    guard rules.isLive else { return }
    let isSearching = isWaiting && time - lastSearch >= SingleRepetition.interval
    if isNew || isNewBout || isSearching { updateCount() }
  }

  // MARK: - Live

  /// The count of everything so far; it never falls.
  public var count: Int { shown.values.reduce(0, +) }

  /// The count of each action so far.
  ///
  /// That of an action rises only while it is the present label.
  public var counts: [String: Int] {
    shown.reduce(into: [:]) { counts, entry in
      if let action = entry.key { counts[action] = entry.value }
    }
  }

  /// How much the present movement resembles the training examples of its action, from 0 to 1; `nil`
  /// while there is no label.
  ///
  /// It is the ``Repetition/confidence`` of the time that one repetition takes.
  public var confidence: Double? {
    guard let time = stream.lastTime, let bout = timeline.currentBout,
      let action = timeline.bouts[bout].action
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
    current.finish()
    return withConfidences(
      RepetitionCutter(steps: stream.steps, samples: history)
        .complete(of: current, after: end, at: time))
  }

  /// Whether the present bout has no repetition yet.
  private var isWaiting: Bool {
    guard let bout = timeline.currentBout, timeline.bouts[bout].action != nil else { return false }
    return segmenter.singles[bout] == nil && segmenter.sets(ofBout: bout).isEmpty
  }

  private mutating func updateCount() {
    segmenter.add(stream.committed[segmenter.stepCount...], timeline)
    guard let bout = timeline.currentBout, let time = stream.lastTime else { return }
    let action = timeline.bouts[bout].action
    var current = segmenter
    current.rounding = RepetitionSegmenter.liveRounding
    current.add(stream.provisional, timeline)
    current.finish()
    if isWaiting, current.sets(ofBout: bout).isEmpty {
      lastSearch = time
      let end = segmenter.singles[bout - 1]?.upperBound
      segmenter.singles[bout] = single(ofBout: bout, from: end, to: time)
      current.singles = segmenter.singles
    }
    shown[action] = max(shown[action] ?? 0, current.count(of: action, timeline))
  }

  /// The single repetition of a bout that is complete at a time, begun after the one before.
  private func single(ofBout bout: Int, from start: Double?, to end: Double) -> Range<Double>? {
    guard let action = timeline.bouts[bout].action else { return nil }
    // The first label's window begins before the label.
    let earliest = timeline.bouts[bout].start - 2 * rules.actionDelay
    let found = SingleRepetition.find(
      in: history, from: max(earliest, start ?? earliest), to: end)
    return found.flatMap {
      likeness.likeness(of: action, in: $0) ?? 1 >= Self.leastLikeness ? $0 : nil
    }
  }

  /// The single repetition of each bout before its first set, if it has one.
  private func singles(beside segmenter: RepetitionSegmenter) -> [Int: Range<Double>] {
    var singles: [Int: Range<Double>] = [:]
    for (number, bout) in timeline.bouts.enumerated() where bout.isConfirmed {
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
    if !rules.isLive {
      shown = summary.repetitions.reduce(into: [:]) { $0[$1.action, default: 0] += 1 }
    }
    return summary
  }

  /// Ends the movement, with what a classifier says of the last windows.
  package mutating func finish(evidence: [ActionEvidence]) throws -> RepetitionSummary {
    add(evidence)
    if let last = evidence.last, let time = stream.lastTime {
      timeline.add(label(of: last.action), at: time)
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
    timeline = ActionTimeline(delay: actionDelay)
    for (time, window) in labels {
      timeline.add(
        label(of: window?.action), at: time,
        confidence: window?.action == nil ? nil : window?.confidence)
    }
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
    segmenter.finish()
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
    action.flatMap { likeness.likeness(of: $0, in: range) } ?? timeline.confidence(in: range)
  }
}
