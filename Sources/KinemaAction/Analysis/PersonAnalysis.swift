package import Foundation
package import KinemaCounting
package import KinemaPose

/// The action recogniser and the repetition counter of one person, fed with a pose a frame.
package struct PersonAnalysis: Sendable {
  /// Which analyses run, and by which rules.
  package struct Plan: Sendable {
    package var classifier: ActionClassifier?
    /// The rules of its windows; `nil` for the model's own.
    package var recognition: ActionRecognizer.Rules?
    /// The rules of counting; `nil` counts nothing.
    ///
    /// The delay of labels and the wholes are those of the recogniser.
    package var counting: RepetitionCounter.Rules?
    /// Whether results are needed as frames come; without, counts come at the end, and so do the
    /// predictions of a model whose windows are read in the course of all of them.
    package var isLive = true
    /// Whether a model whose windows are read in their course has predictions before the first window is
    /// full, as ``ActionRecognizer/opensEarly``.
    package var opensEarly = false
    /// ``ActionRecognizer/endsWithFullWindow``.
    package var endsWithFullWindow = false
    /// The joints that are treated as not found.
    package var ignoredJoints: Set<JointKey> = []

    package init(
      classifier: ActionClassifier? = nil, recognition: ActionRecognizer.Rules? = nil,
      counting: RepetitionCounter.Rules? = nil
    ) {
      self.classifier = classifier
      self.recognition = recognition
      self.counting = counting
    }

    func recognizer() -> ActionRecognizer? {
      guard let classifier else { return nil }
      var recognizer = ActionRecognizer(classifier: classifier, rules: recognition)
      recognizer.opensEarly = opensEarly && recognizer.rules.readsCourse
      recognizer.endsWithFullWindow = endsWithFullWindow
      return recognizer
    }

    /// The counter beside the recogniser.
    func counter(beside recognizer: ActionRecognizer?) throws -> RepetitionCounter? {
      guard var rules = counting else { return nil }
      rules.isLive = isLive
      if let recognizer {
        let own = RepetitionCounter.Rules(for: recognizer)
        rules.actionDelay = own.actionDelay
        (rules.wholes, rules.groups) = (own.wholes, own.groups)
      }
      return try RepetitionCounter(rules: rules)
    }
  }

  /// The processor time that a frame took, in seconds.
  package struct Cost: Sendable {
    package var classification: TimeInterval = 0
    package var counting: TimeInterval = 0

    static func += (sum: inout Cost, cost: Cost) {
      sum.classification += cost.classification
      sum.counting += cost.counting
    }
  }

  package private(set) var plan: Plan
  package private(set) var recognizer: ActionRecognizer?
  package private(set) var counter: RepetitionCounter?
  /// The postures where there is no recogniser, which knows them as well.
  private var postures: PostureTimeline?
  /// The newest prediction; `nil` before the first window is full.
  package private(set) var prediction: ActionPrediction?
  /// When the person was last visible, in seconds; `nil` before.
  package private(set) var lastSeen: TimeInterval?
  /// Whether the person was visible in the newest frame.
  package private(set) var isVisible = false
  /// Since when the person is visible without being out of view for a whole window, in seconds.
  private var visibleSince: TimeInterval?
  /// Which hand it is, where it is one and that is known.
  package private(set) var chirality: Chirality?
  /// What the newest frame took.
  package private(set) var cost = Cost()
  /// The newest action that was counted: that of the newest set.
  package private(set) var countedAction: String?
  /// The windows that are decoded at the end, and for each frame how many were complete.
  private var windows: [ActionPrediction] = []
  private var frames: [(time: TimeInterval, windowCount: Int)] = []

  /// - Throws: ``ActionError`` if the counting network is requested and cannot be used.
  package init(_ plan: Plan) throws {
    self.plan = plan
    recognizer = plan.recognizer()
    counter = try plan.counter(beside: recognizer)
    postures = recognizer == nil ? .builtIn() : nil
  }

  /// The posture at the newest frame; `nil` while the person is not visible, and for hands.
  package var posture: HumanBodyPosture? { recognizer?.posture ?? postures?.latest }

  /// Processes the next frame.
  ///
  /// - Parameters:
  ///   - pose: The person's pose; `nil` where they are not visible.
  ///   - time: The presentation time in seconds; later than that of the frame before.
  ///   - aspectRatio: The width of the frame divided by its height, if known.
  /// - Returns: A prediction for each window that the frame completes, unless they come at the end.
  /// - Throws: ``ActionError`` where a model cannot be run.
  package mutating func add(
    _ pose: Pose?, at time: TimeInterval, aspectRatio: Float? = nil
  ) throws -> [ActionPrediction] {
    if pose != nil {
      if !isVisible, time - (lastSeen ?? -.infinity) > windowDuration { visibleSince = time }
      lastSeen = time
    }
    isVisible = pose != nil
    chirality = pose?.chirality ?? chirality
    var pose = pose
    for joint in plan.ignoredJoints { pose?.keypoints[joint] = nil }
    let start = ProcessInfo.processInfo.systemUptime
    let predictions =
      try recognizer?.add(pose, at: time, aspectRatio: aspectRatio) ?? []
    if pose?.chirality == nil, let aspectRatio {
      postures?.add(pose, at: time, aspectRatio: aspectRatio)
    }
    let middle = ProcessInfo.processInfo.systemUptime
    prediction = predictions.last ?? prediction
    if recognizer == nil {
      _ = try counter?.add(pose, at: time)
    } else {
      _ = try counter?.add(pose, at: time, predictions: predictions)
    }
    cost = Cost(
      classification: middle - start,
      counting: ProcessInfo.processInfo.systemUptime - middle)
    noteCountedAction()
    guard decodesAll else { return predictions }
    windows += predictions
    frames.append((time, windows.count))
    return []
  }

  /// Ends the analysis: returns the predictions that did not come before, and all repetitions.
  package mutating func finish() throws -> (
    predictions: [ActionPrediction], repetitions: RepetitionSummary?
  ) {
    let last = try recognizer?.finish() ?? []
    guard decodesAll, let recognizer else {
      return (last, try counter?.finish(predictions: last))
    }
    let predictions = recognizer.decoded(windows + last)
    let labels = frames.map { frame in
      (frame.time, frame.windowCount > 0 ? predictions[frame.windowCount - 1] : nil)
    }
    let delay = Double(recognizer.classifier.windowSize) / recognizer.frameRate / 2
    return (
      predictions, try counter?.finish(predictions: last, labels: labels, actionDelay: delay)
    )
  }

  private mutating func noteCountedAction() {
    guard let counter else {
      if prediction?.status == .action { countedAction = prediction?.topLabel }
      return
    }
    // A set's name, which may be another one than that of its newest window.
    if let set = counter.currentSet, set.kind == .counted, let action = set.action {
      countedAction = action
    }
    for revision in counter.revisions where countedAction == revision.from {
      countedAction = revision.to
    }
  }

  /// Whether the windows are kept until the end and decoded together.
  private var decodesAll: Bool { !plan.isLive && recognizer?.rules.readsCourse == true }

  /// Whether the person is visible for at least a window's duration.
  package var isVisibleForWindow: Bool {
    guard isVisible, let lastSeen, let visibleSince else { return false }
    return lastSeen - visibleSince >= windowDuration
  }

  /// The duration of a window, in seconds; 0 without a classifier.
  private var windowDuration: TimeInterval {
    recognizer.map { Double($0.classifier.windowSize) / $0.frameRate } ?? 0
  }

  /// The count so far of the action that was recognised last; of everything without a classifier.
  package var count: Int {
    guard recognizer != nil else { return counter?.count ?? 0 }
    return countedAction.flatMap { counter?.counts[$0] } ?? 0
  }

  /// Continues with another plan; unaffected parts keep their state.
  package mutating func change(to plan: Plan) throws {
    let old = self.plan
    self.plan = plan
    let hasOtherClassifier = old.classifier !== plan.classifier
    if hasOtherClassifier {
      recognizer = plan.recognizer()
      postures = recognizer == nil ? .builtIn() : nil
      (prediction, countedAction) = (nil, nil)
    } else if let classifier = plan.classifier, old.recognition != plan.recognition {
      let rules = plan.recognition ?? ActionRecognizer.Rules(of: classifier)
      recognizer?.change(to: rules)
      if let prediction, prediction.status != .noPerson {
        self.prediction?.status =
          prediction.confidence >= rules.confidenceThreshold ? .action : .lowConfidence
      }
    }
    if hasOtherClassifier || old.counting != plan.counting {
      counter = try plan.counter(beside: recognizer)
    }
  }
}
