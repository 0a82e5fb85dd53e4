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
    /// How long after a moment the classifier's label for it comes, in seconds: half its window.
    public var actionDelay: TimeInterval = 1
    /// The share of the person's own median range of motion under which a repetition is an attempt.
    public var attemptShare = 0.6

    /// The usual rules.
    public init() {}
  }

  /// The longest time, in seconds, for which poses are kept to cut and judge repetitions.
  static let longestHistory = 3600.0

  /// What is added to the phase before it is cut to a whole number, live: a repetition is shown
  /// shortly before it ends, and what moves a little now and then is not.
  static let liveRounding = 0.25

  /// The rules of counting.
  public let rules: Rules
  private var stream: CountingStream
  private var timeline: ActionTimeline
  private var history: [MotionSample] = []
  /// How many of the stream's final steps are in ``bouts``.
  private var bookedCount = 0
  private var bouts: [Bout] = []
  private var shown: [String?: Int] = [:]

  /// Something done without another action in between.
  private struct Bout {
    var repetitions = 0.0
    var first: Range<Double>?
  }

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
    let label: ActionTimeline.Label
    switch action {
    case nil: label = .unknown
    case let name? where rules.ignoredActions.contains(name.lowercased()): label = .nothing
    case let name?: label = .action(name)
    }
    try add(pose, at: time, label: label, confidence: confidence)
    return count
  }

  /// The count of everything so far; it never falls.
  public var count: Int { shown.values.reduce(0, +) }

  /// The count of each action that the classifier has told so far.
  public var counts: [String: Int] {
    shown.reduce(into: [:]) { counts, entry in
      if let action = entry.key { counts[action] = entry.value }
    }
  }

  /// How many repetitions were done so far, with the fraction of the one under way.
  public var fractionalCount: Double {
    (0..<bouts.count).reduce(0) { $0 + total(ofBout: $1, provisional: provisional) }
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
    timeline.add(label, at: time, confidence: confidence)
    history.append(sample)
    if let first = history.first, time - first.time > 1.2 * Self.longestHistory {
      history.removeAll { $0.time < time - Self.longestHistory }
    }
    if try stream.add(sample) { book() }
  }

  // MARK: - At the end

  /// Ends the stretch and gives its repetitions.
  ///
  /// - Throws: ``ActionError`` where the network cannot be run.
  public mutating func finish() throws -> RepetitionSummary {
    try stream.finish()
    book()
    return summary
  }

  /// The repetitions as far as they are known; those of the last seconds may still change.
  public var summary: RepetitionSummary {
    let steps = stream.steps
    let owners = steps.map { timeline.bout(at: $0.time) }
    let cutter = RepetitionCutter(steps: steps, samples: history)
    var repetitions: [Repetition] = []
    for action in timeline.actions {
      let indices = bouts.indices.filter { timeline.action(ofBout: $0) == action }
      var carried = 0.0
      for bout in indices {
        let mask = owners.map { $0 == bout }
        let cut = cutter.repetitions(where: mask, carried: &carried)
        if cut.isEmpty, let first = bouts[bout].first {
          repetitions.append(cutter.repetition(in: first, action: action))
          carried = 0
        } else {
          repetitions += cut.map {
            var repetition = $0
            repetition.action = action
            return repetition
          }
        }
      }
    }
    for index in repetitions.indices {
      let range = repetitions[index].start..<max(repetitions[index].start, repetitions[index].end)
      repetitions[index].confidence = timeline.confidence(in: range)
    }
    return RepetitionSummary(
      repetitions: RepetitionJudge.markAttempts(in: repetitions, share: rules.attemptShare),
      moments: steps.map {
        RepetitionSummary.Moment(
          time: $0.time, period: $0.isActive ? $0.period : nil, periodicity: $0.periodicity)
      })
  }

  // MARK: - Bookkeeping

  /// How much each bout has of the steps that are not final.
  private var provisional: [Int: Double] {
    var sums: [Int: Double] = [:]
    for step in stream.provisional {
      if let bout = timeline.bout(at: step.time) { sums[bout, default: 0] += step.repetitions }
    }
    return sums
  }

  private mutating func book() {
    while bouts.count < timeline.boutCount { bouts.append(Bout()) }
    for step in stream.committed[bookedCount...] {
      if let bout = timeline.bout(at: step.time) { bouts[bout].repetitions += step.repetitions }
    }
    bookedCount = stream.committed.count
    let provisional = provisional
    if let bout = timeline.currentBout, timeline.action(ofBout: bout) != nil,
      bouts[bout].first == nil, total(ofBout: bout, provisional: provisional) < 1
    {
      bouts[bout].first = FirstRepetition.find(
        in: history, since: timeline.start(ofBout: bout) - 2 * rules.actionDelay)
    }
    var totals: [String?: Double] = [:]
    for bout in bouts.indices {
      totals[timeline.action(ofBout: bout), default: 0] += total(
        ofBout: bout, provisional: provisional)
    }
    for (action, total) in totals {
      shown[action] = max(shown[action] ?? 0, Int(total + Self.liveRounding))
    }
  }

  private func total(ofBout bout: Int, provisional: [Int: Double]) -> Double {
    let sum = bouts[bout].repetitions + (provisional[bout] ?? 0)
    return bouts[bout].first == nil ? sum : max(sum, 1)
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
