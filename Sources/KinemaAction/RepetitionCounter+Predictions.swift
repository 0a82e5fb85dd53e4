public import Foundation
public import KinemaCounting
public import KinemaPose

extension RepetitionCounter.Rules {
  /// The default rules beside a recognizer: with the delay and the kinds of its labels.
  public init(for recognizer: ActionRecognizer) {
    self.init()
    let rules = recognizer.rules
    kinds = recognizer.classifier.labelKinds
    // A window in its course is named some two windows after its action has begun.
    let frameCount = recognizer.classifier.windowSize + (rules.readsCourse ? 2 * rules.stride : 0)
    actionDelay = Double(frameCount) / recognizer.frameRate / 2
    wholes = rules.wholes
    groups = rules.groups ?? [:]
  }
}

extension RepetitionCounter {
  /// Adds the next frame and a recognizer's predictions of the windows that it completes.
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where the person is not visible.
  ///   - time: The presentation time in seconds.
  ///   - predictions: Those of ``ActionRecognizer/add(_:at:)`` for this frame; the newest holds until
  ///     the next comes.
  /// - Returns: The count of all actions so far; it never falls.
  /// - Throws: ``ActionError`` where the network cannot be run.
  @discardableResult
  public mutating func add(
    _ pose: Pose?, at time: TimeInterval, predictions: [ActionPrediction]
  ) throws -> Int {
    try add(pose, at: time, evidence: predictions.map(\.evidence))
  }

  /// Ends the movement and returns its repetitions, recomputed with full context.
  ///
  /// - Parameter predictions: Those of ``ActionRecognizer/finish()``.
  /// - Throws: ``ActionError`` where the network cannot be run.
  public mutating func finish(predictions: [ActionPrediction]) throws -> RepetitionSummary {
    try finish(evidence: predictions.map(\.evidence))
  }

  /// Ends the movement with labels that were decoded from all windows, in place of those so far.
  ///
  /// - Parameters:
  ///   - predictions: Those of ``ActionRecognizer/finish()``.
  ///   - labels: The decoded prediction that is newest at each frame.
  ///   - actionDelay: The time from a moment to its label, in seconds.
  mutating func finish(
    predictions: [ActionPrediction], labels: [(time: TimeInterval, prediction: ActionPrediction?)],
    actionDelay: TimeInterval
  ) throws -> RepetitionSummary {
    try finish(
      evidence: predictions.map(\.evidence), labels: labels.map { ($0, $1?.evidence) },
      actionDelay: actionDelay)
  }
}

extension ActionPrediction {
  fileprivate var evidence: ActionEvidence {
    ActionEvidence(
      timeRange: timeRange, action: status == .action ? topLabel : nil, confidence: confidence,
      probabilities: probabilities)
  }
}
