public import Foundation
public import KinemaPose

/// Counts the repetitions of whatever one person does, as it is done.
///
/// Which movement it is need not be known: anything counts that comes back to the same posture in
/// 0.3 to 8 seconds, again and again, at any frame rate. Where a classifier runs alongside, its
/// labels are given with the poses: then counts are kept for each action, what it calls "other" counts
/// nothing, and the first repetition of an action counts as soon as it ends.
///
/// ```swift
/// var counter = try RepetitionCounter()
/// for frame in sequence.frames {
///   print(try counter.add(frame.poses.first, at: frame.time))
/// }
/// for repetition in try counter.finish().repetitions { print(repetition.start, repetition.end) }
/// ```
public struct RepetitionCounter: Sendable {
  /// The rules of counting.
  public struct Rules: Hashable, Sendable {
    /// How repetitions are found.
    public var method = CountingMethod.auto
    /// Whether left and right are one repetition where a movement changes sides; else each is one.
    public var countsPairs = false
    /// The width of the picture divided by its height, so that lengths compare in all directions.
    public var aspectRatio: Float = 1
    /// The labels that count nothing, in lower case.
    public var ignoredActions: Set<String> = [
      "other", "others", "other_action", "other action", "other actions", "none", "negative",
      "background", "idle",
    ]
    /// How long after a moment the classifier's label for it comes, in seconds: half of what it looks
    /// at.
    public var actionDelay: TimeInterval = 1
    /// Actions that are parts of others, as in ``ActionRecognizer/Rules/wholes``: they make a
    /// repetition of the whole no less like it.
    public var wholes: [String: String] = [:]
    /// The share of the person's own median range of motion under which a repetition is an attempt.
    public var attemptShare = 0.6
    /// For how long poses are kept to cut and judge repetitions, in seconds; where only counts are
    /// wanted, half a minute will do.
    package var historyLength = RepetitionCounter.longestHistory

    /// The usual rules.
    public init() {}

    /// The usual rules beside a recognizer: with the delay of its labels.
    public init(for recognizer: ActionRecognizer) {
      self.init()
      let rules = recognizer.rules
      let frameCount =
        recognizer.classifier.windowSize + (rules.averagedWindowCount - 1) * rules.stride
      actionDelay = Double(frameCount) / recognizer.frameRate / 2
      wholes = rules.wholes
    }
  }

  /// The longest time, in seconds, for which poses are kept to cut and judge repetitions.
  static let longestHistory = 3600.0

  /// How long it is from one judgement of the last seconds to the next, in seconds.
  package static let updateInterval = Double(CountingStream.Pace.live.hop) / MotionTrack.frameRate

  /// How often, in seconds, the first repetition of an action is looked for.
  static let lookInterval = 0.1

  /// How much a movement must resemble an action's examples to be a repetition by itself, where no
  /// rhythm tells that it is one: more likely than not.
  static let leastLikeness = 0.5

  /// The rules of counting.
  public let rules: Rules
  private var stream: CountingStream
  private var timeline: ActionTimeline
  private var likeness: ActionLikeness
  private var ledger = BoutLedger()
  private var history: [MotionSample] = []
  /// The steps as they are seen from the end.
  private var finalSteps: [CountingStep]?
  private var latestPrediction: ActionPrediction?
  private var lastLook = -Double.infinity

  /// Creates a counter.
  ///
  /// - Throws: ``ActionError`` where the network is asked for and cannot be used.
  public init(rules: Rules = Rules()) throws {
    self.init(rules: rules, estimator: try rules.method.estimator())
  }

  package init(rules: Rules = Rules(), estimator: any PeriodEstimator) {
    self.rules = rules
    stream = CountingStream(estimator: estimator, countsPairs: rules.countsPairs)
    timeline = ActionTimeline(delay: rules.actionDelay)
    likeness = ActionLikeness(wholes: rules.wholes)
  }

  // MARK: - Live

  /// Takes the next frame where no classifier runs.
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where they were not seen.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  /// - Returns: The count so far; it never falls.
  /// - Throws: ``ActionError`` where the network cannot be run.
  @discardableResult
  public mutating func add(_ pose: Pose?, at time: TimeInterval) throws -> Int {
    try add(pose, at: time, label: .anything)
    return count
  }

  /// Takes the next frame and what the classifier says at that time.
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where they were not seen.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  ///   - action: The classifier's label; `nil` where it has none that is sure enough.
  ///   - confidence: How sure the label is, from 0 to 1.
  /// - Returns: The count of all actions so far; it never falls.
  /// - Throws: ``ActionError`` where the network cannot be run.
  @discardableResult
  public mutating func add(
    _ pose: Pose?, at time: TimeInterval, action: String?, confidence: Double? = nil
  ) throws -> Int {
    try add(pose, at: time, label: label(of: action), confidence: confidence)
    return count
  }

  /// Takes the next frame and what a recognizer says of the windows that it completes.
  ///
  /// ```swift
  /// let recognizer = ActionRecognizer(classifier: classifier)
  /// var counter = try RepetitionCounter(rules: .init(for: recognizer))
  /// let predictions = try recognizer.add(pose, at: time)
  /// try counter.add(pose, at: time, predictions: predictions)
  /// ```
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where they were not seen.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  ///   - predictions: Those that ``ActionRecognizer/add(_:at:)`` gave for this frame; the newest holds
  ///     until the next comes.
  /// - Returns: The count of all actions so far; it never falls.
  /// - Throws: ``ActionError`` where the network cannot be run.
  @discardableResult
  public mutating func add(
    _ pose: Pose?, at time: TimeInterval, predictions: [ActionPrediction]
  ) throws -> Int {
    take(predictions)
    let action = latestPrediction.flatMap { $0.status == .action ? $0.topLabel : nil }
    return try add(
      pose, at: time, action: action,
      confidence: action == nil ? nil : latestPrediction?.confidence)
  }

  private mutating func take(_ predictions: [ActionPrediction]) {
    for prediction in predictions { likeness.add(prediction) }
    latestPrediction = predictions.last ?? latestPrediction
  }

  private func label(of action: String?) -> ActionTimeline.Label {
    switch action {
    case nil: .unknown
    case let name? where rules.ignoredActions.contains(name.lowercased()): .nothing
    case let name?: .action(name)
    }
  }

  /// The count of everything so far; it never falls.
  public var count: Int { ledger.counts.values.reduce(0, +) }

  /// The count of each action that the classifier has told so far.
  ///
  /// That of an action rises only while the classifier tells it: what it calls "other", and what it
  /// cannot tell, counts nothing.
  public var counts: [String: Int] {
    ledger.counts.reduce(into: [:]) { counts, entry in
      if let action = entry.key { counts[action] = entry.value }
    }
  }

  /// How many repetitions were done so far, with the fraction of the one under way.
  public var fractionalCount: Double { ledger.fractionalCount(timeline, stream) }

  /// How much what is being done resembles the examples of its action, from 0 to 1; `nil` while no
  /// action is told.
  ///
  /// As ``Repetition/confidence`` tells it of a repetition, here of the last one's length of time.
  public var confidence: Double? {
    guard let time = stream.lastTime, let bout = timeline.currentBout,
      let action = timeline.action(ofBout: bout)
    else { return nil }
    let length = stream.provisional.last { $0.isActive }?.period ?? 1
    let range = (time - max(length, 1))..<time
    return likeness.likeness(of: action, in: range) ?? timeline.confidence(in: range)
  }

  /// Repetitions a minute at present; `nil` at rest.
  public var tempo: Double? {
    guard let last = stream.provisional.last, last.isActive else { return nil }
    return 60 / last.period
  }

  private mutating func add(
    _ pose: Pose?, at time: TimeInterval, label: ActionTimeline.Label, confidence: Double? = nil
  ) throws {
    guard time.isFinite, time > stream.lastTime ?? -.infinity else { return }
    let sample = MotionSample(pose, at: time, aspectRatio: rules.aspectRatio)
    let isNewlyTold = timeline.add(label, at: time, confidence: confidence)
    history.append(sample)
    finalSteps = nil
    if let first = history.first, time - first.time > 1.2 * rules.historyLength {
      let oldest = time - rules.historyLength
      history.removeAll { $0.time < oldest }
      likeness.forget(before: oldest)
    }
    let isJudged = try stream.add(sample)
    let isLooking = time - lastLook >= Self.lookInterval && ledger.isWaiting(timeline)
    if isJudged || isNewlyTold || isLooking { book() }
  }

  private mutating func book() {
    lastLook = stream.lastTime ?? lastLook
    let likeness = likeness
    ledger.book(timeline, stream, history: history, reach: 2 * rules.actionDelay) {
      likeness.likeness(of: $0, in: $1) ?? 1 >= Self.leastLikeness
    }
  }

  // MARK: - At the end

  /// Ends the stretch and gives its repetitions, all judged once more with what came after each.
  ///
  /// The live ``count`` stays as it was.
  ///
  /// - Throws: ``ActionError`` where the network cannot be run.
  public mutating func finish() throws -> RepetitionSummary {
    try stream.finish()
    book()
    finalSteps = try stepsInHindsight()
    return summary
  }

  private func stepsInHindsight() throws -> [CountingStep] {
    guard let first = history.first, let estimator = stream.estimator.hindsight else {
      return stream.steps
    }
    var hindsight = CountingStream(
      estimator: estimator, pace: .hindsight, countsPairs: rules.countsPairs)
    for sample in history { _ = try hindsight.add(sample) }
    try hindsight.finish()
    return stream.steps.prefix { $0.time < first.time } + hindsight.steps
  }

  /// Ends the stretch and gives its repetitions.
  ///
  /// - Parameter predictions: Those that ``ActionRecognizer/finish()`` gave.
  /// - Throws: ``ActionError`` where the network cannot be run.
  public mutating func finish(predictions: [ActionPrediction]) throws -> RepetitionSummary {
    take(predictions)
    if let last = predictions.last, let time = stream.lastTime {
      timeline.add(
        label(of: last.status == .action ? last.topLabel : nil), at: time, confidence: nil)
    }
    return try finish()
  }

  /// The repetitions as far as they are known; those of the last seconds may still change.
  public var summary: RepetitionSummary {
    let steps = finalSteps ?? stream.steps
    let assembly = RepetitionAssembly(
      steps: steps, samples: history, timeline: timeline, likeness: likeness, ledger: ledger,
      attemptShare: rules.attemptShare)
    return RepetitionSummary(
      repetitions: assembly.repetitions,
      moments: steps.map {
        RepetitionSummary.Moment(
          time: $0.time, period: $0.isActive ? $0.period : nil, periodicity: $0.periodicity)
      })
  }
}

// MARK: - In one call

extension RepetitionCounter {
  /// Counts the repetitions of the prominent person of a sequence.
  ///
  /// - Throws: ``ActionError`` where the network is asked for and cannot be used.
  public static func repetitions(
    in poses: PoseSequence, rules: Rules = Rules()
  ) throws -> RepetitionSummary {
    var counter = try RepetitionCounter(rules: rules)
    var selector = ProminentPersonSelector()
    for frame in poses.frames {
      try counter.add(selector.select(from: frame.poses), at: frame.time)
    }
    return try counter.finish()
  }
}

extension PoseSequence {
  /// The repetitions of whatever the prominent person does, with start and end.
  ///
  /// - Throws: ``ActionError`` where the network is asked for and cannot be used.
  public func repetitions(
    rules: RepetitionCounter.Rules = .init()
  ) throws -> [Repetition] {
    try RepetitionCounter.repetitions(in: self, rules: rules).repetitions
  }
}
