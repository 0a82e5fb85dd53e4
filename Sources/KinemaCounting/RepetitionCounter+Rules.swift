public import Foundation
public import KinemaPose

extension RepetitionCounter {
  /// The rules of counting.
  public struct Rules: Hashable, Sendable {
    /// How repetitions are found.
    public var method = CountingMethod.auto
    /// Whether counts are needed during the movement; without, only
    /// ``RepetitionCounter/finish()`` counts, in half the processor time.
    public var isLive = true
    /// Whether left and right of an alternating movement are one repetition; otherwise each is one.
    public var countsPairs = false
    /// The width of the picture divided by its height, so that lengths compare in all directions.
    public var aspectRatio: Float = 1
    /// What the actions are; only those that are counted have repetitions.
    public var kinds = LabelKinds()
    /// The time from a moment to the classifier's label for it, in seconds: half of its input.
    public var actionDelay: TimeInterval = 1
    /// Actions that are parts of others, as in ``ActionRecognizer/Rules/wholes``: they do not lower
    /// the confidence of a repetition of the whole.
    public var wholes: [String: String] = [:]
    /// Labels that stand for several, as in ``ActionRecognizer/Rules/groups``: a set of a group takes the
    /// name of one of its labels once that is confident.
    public var groups: [String: [String]] = [:]
    /// The share of the median range of motion under which a repetition is an attempt.
    public var attemptShare = 0.6
    /// How long poses are stored to cut and grade repetitions, in seconds; for counts alone, half a
    /// minute is enough.
    package var historyLength = RepetitionCounter.longestHistory

    /// The default rules.
    public init() {}
  }

  /// Counts the repetitions of the prominent person of a sequence.
  ///
  /// - Throws: ``ModelFileError`` where the network is asked for and cannot be used.
  public static func repetitions(
    in poses: PoseSequence, rules: Rules = Rules()
  ) throws -> RepetitionSummary {
    var rules = rules
    rules.isLive = false
    var counter = try RepetitionCounter(rules: rules)
    for (frame, pose) in zip(poses.frames, poses.prominentPoses) {
      try counter.add(pose, at: frame.time)
    }
    return try counter.finish()
  }
}

extension PoseSequence {
  /// The repetitions of whatever the prominent person does, with start and end.
  ///
  /// - Throws: ``ModelFileError`` where the network is asked for and cannot be used.
  public func repetitions(rules: RepetitionCounter.Rules = .init()) throws -> [Repetition] {
    try RepetitionCounter.repetitions(in: self, rules: rules).repetitions
  }
}
