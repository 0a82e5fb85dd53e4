import Foundation
import KinemaAction
import KinemaPose

/// What one person does, and how often: a recogniser and a counter of their own.
struct PersonActivity: Sendable {
  /// What people are watched for.
  struct Plan: Sendable {
    var settings = SessionSettings()
    var classifier: ActionClassifier?
    /// The width of the picture divided by its height.
    var aspectRatio: Float = 1

    /// The classifier where it is wanted.
    var usedClassifier: ActionClassifier? { settings.isClassifying ? classifier : nil }

    /// The rules of the model with what the client wants otherwise.
    func rules(of classifier: ActionClassifier) -> ActionRecognizer.Rules {
      var rules = ActionRecognizer.Rules(of: classifier)
      rules.stride = settings.stride ?? rules.stride
      rules.confidenceThreshold = settings.confidenceThreshold ?? rules.confidenceThreshold
      return rules
    }
  }

  /// For how long a counter keeps poses, in seconds: enough to find the first repetition of an action.
  private static let historyLength = 30.0

  private(set) var recognizer: ActionRecognizer?
  private(set) var counter: RepetitionCounter?
  private var prediction: ActionPrediction?
  /// The action done last that counts.
  private var lastAction: String?
  private var ignoredKeys: Set<JointKey>
  /// When the person was last seen, in seconds of the session.
  private(set) var lastSeen: TimeInterval
  /// Whether the person was seen in the last picture.
  private var isSeen = true

  init(_ plan: Plan, at time: TimeInterval) throws {
    lastSeen = time
    ignoredKeys = plan.settings.ignoredKeys
    recognizer = Self.recognizer(plan)
    counter = try Self.counter(plan)
  }

  /// Takes the person's pose in the next picture.
  ///
  /// - Parameters:
  ///   - pose: The pose; `nil` where the person was not seen.
  ///   - time: The session's time in seconds.
  mutating func add(_ pose: Pose?, at time: TimeInterval, durations: inout StageDurations) throws {
    isSeen = pose != nil
    if isSeen { lastSeen = time }
    var pose = pose
    for key in ignoredKeys { pose?.keypoints[key] = nil }
    let predictions = try durations.measure(.classification) {
      try recognizer?.add(pose, at: time) ?? []
    }
    prediction = predictions.last ?? prediction
    try durations.measure(.counting) {
      if recognizer == nil {
        _ = try counter?.add(pose, at: time)
      } else {
        _ = try counter?.add(pose, at: time, predictions: predictions)
      }
    }
    if let label = action?.label, counter?.rules.ignoredActions.contains(label.lowercased()) != true
    {
      lastAction = label
    }
  }

  /// What the person does; `nil` where nothing is classified.
  ///
  /// Who is seen now, but in too few of the last pictures to tell, is there: that is a start.
  var action: ActionMessage? {
    guard recognizer != nil else { return nil }
    guard let prediction, !(isSeen && prediction.status == .noPerson) else { return .startingUp }
    return ActionMessage(prediction)
  }

  /// The count of the action that was done last; of everything where nothing is classified.
  var count: Int {
    guard recognizer != nil else { return counter?.count ?? 0 }
    return lastAction.flatMap { counter?.counts[$0] } ?? 0
  }

  /// The count of each action; empty where nothing is classified.
  var counts: [String: Int] { counter?.counts ?? [:] }

  /// Repetitions a minute; `nil` at rest.
  var tempo: Double? { counter?.tempo }

  // MARK: - Other wishes

  /// Goes on with other settings: what they do not touch is kept.
  mutating func change(from old: Plan, to plan: Plan) throws {
    ignoredKeys = plan.settings.ignoredKeys
    if old.usedClassifier !== plan.usedClassifier {
      recognizer = Self.recognizer(plan)
      (prediction, lastAction) = (nil, nil)
    } else if let classifier = plan.usedClassifier {
      let rules = plan.rules(of: classifier)
      recognizer?.change(to: rules)
      if let prediction, prediction.status != .noPerson {
        self.prediction?.status =
          prediction.confidence >= rules.confidenceThreshold ? .action : .lowConfidence
      }
    }
    if old.usedClassifier !== plan.usedClassifier || old.aspectRatio != plan.aspectRatio
      || old.settings.isCounting != plan.settings.isCounting
      || old.settings.countsPairs != plan.settings.countsPairs
    {
      counter = try Self.counter(plan)
    }
  }

  private static func recognizer(_ plan: Plan) -> ActionRecognizer? {
    plan.usedClassifier.map { ActionRecognizer(classifier: $0, rules: plan.rules(of: $0)) }
  }

  private static func counter(_ plan: Plan) throws -> RepetitionCounter? {
    guard plan.settings.isCounting else { return nil }
    var rules = recognizer(plan).map(RepetitionCounter.Rules.init(for:)) ?? .init()
    rules.countsPairs = plan.settings.countsPairs
    rules.aspectRatio = plan.aspectRatio
    rules.historyLength = historyLength
    return try RepetitionCounter(rules: rules)
  }
}
