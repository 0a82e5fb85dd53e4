public import KinemaPose
public import KinemaStreams

/// Classifies what a person does, window after window: the stage behind the choice of the person.
///
/// - Input: the poses of one person; a pose without joints where they are not visible.
/// - Output: a prediction for each window, stamped with the time that the window covers.
public struct ActionPredictor: TemporalTransformer, Sendable {
  /// A person's pose.
  public typealias Input = Pose
  /// What the person does.
  public typealias Output = ActionPrediction

  /// The model.
  public let classifier: ActionClassifier
  /// The rules of the windows.
  public let rules: ActionRecognizer.Rules

  /// Creates a stage, by default with the model's rules.
  public init(classifier: ActionClassifier, rules: ActionRecognizer.Rules? = nil) {
    self.classifier = classifier
    self.rules = rules ?? ActionRecognizer.Rules(of: classifier)
  }

  /// The sequence of predictions.
  public func applied<S: TemporalSequence>(
    to input: S, eventHandler: EventHandler? = nil
  ) async throws -> AnyTemporalSequence<ActionPrediction> where S.Feature == Pose {
    var upstream = input.makeAsyncIterator()
    var recognizer = ActionRecognizer(classifier: classifier, rules: rules)
    var waiting: [ActionPrediction] = []
    var last: TemporalSegmentIdentifier?
    var isFinished = false
    return AnyTemporalSequence(count: nil) {
      while waiting.isEmpty, !isFinished {
        if let element = try await upstream.next() {
          last = element.id
          let pose = element.feature.keypoints.isEmpty ? nil : element.feature
          waiting = try recognizer.add(pose, at: element.id.rangeInSeconds.lowerBound)
        } else {
          isFinished = true
          waiting = try recognizer.finish()
        }
      }
      guard !waiting.isEmpty, let last else { return nil }
      let prediction = waiting.removeFirst()
      let ticks = Double(last.timescale)
      let start = Int(prediction.timeRange.lowerBound * ticks)
      let end = Swift.max(start, Int(prediction.timeRange.upperBound * ticks))
      return TemporalFeature(
        id: TemporalSegmentIdentifier(
          source: last.source, range: start..<end, timescale: last.timescale),
        feature: prediction)
    }
  }
}
