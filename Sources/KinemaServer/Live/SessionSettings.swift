package import KinemaAction
import KinemaCounting
import KinemaPose

package struct SessionSettings: Hashable, Sendable {
  /// The id of the model; `nil` to classify nothing.
  @Nullable package var model: String? = "Exercise"
  package var isClassifying = true
  package var isCounting = true
  /// Whether left and right are one repetition where a movement changes sides.
  package var countsPairs = false
  /// Whether frames have the prominent person in three dimensions.
  package var isLifting = false
  /// The joints that count as not found, by name.
  package var ignoredJoints: [String] = []
  /// The probability, from 0 to 1, that a label needs; `nil` for the model's own.
  @Nullable package var confidenceThreshold: Double?
  /// Frames, at the model's rate, from one window to the next; `nil` for the model's own.
  @Nullable package var stride: Int?
  /// The largest number of tracked people.
  package var maximumPersonCount = 2
  package var isRecording = false
  /// The id of the profile of who trains; `nil` without one.
  @Nullable package var profile: Int?

  package init() {}

  var ignoredKeys: Set<JointKey> { Set(ignoredJoints.map(JointKey.init(rawValue:))) }

  /// For how long a live counter keeps poses, in seconds: enough to find the first repetition of an
  /// action.
  private static let historyLength = 30.0

  /// The analyses of each person with the session's model, whether that is used or not.
  package func plan(classifier: ActionClassifier?) -> PersonAnalysis.Plan {
    var plan = PersonAnalysis.Plan(classifier: isClassifying ? classifier : nil)
    plan.opensEarly = true
    if let classifier = plan.classifier {
      var rules = ActionRecognizer.Rules(of: classifier)
      rules.stride = stride ?? rules.stride
      rules.confidenceThreshold = confidenceThreshold ?? rules.confidenceThreshold
      plan.recognition = rules
    }
    // Repetitions are counted on whole bodies.
    if isCounting, classifier?.joints != JointKey.hand {
      var rules = RepetitionCounter.Rules()
      rules.countsPairs = countsPairs
      rules.historyLength = Self.historyLength
      plan.counting = rules
    }
    plan.ignoredJoints = ignoredKeys
    return plan
  }

  /// Refuses values that are out of range; throws ``ServerError`` that names the setting.
  func validate(_ configuration: LiveConfiguration) throws {
    let names = Set((JointKey.body + JointKey.hand).map(\.rawValue))
    if let unknown = ignoredJoints.first(where: { !names.contains($0) }) {
      throw ServerError(.badRequest, MessageText("noJoint", ["name": unknown.prefix(40)]))
    }
    if let confidenceThreshold, !(0...1).contains(confidenceThreshold) {
      throw ServerError(
        .badRequest, MessageText("badThreshold", ["value": confidenceThreshold]))
    }
    if let stride, !(1...1000).contains(stride) {
      throw ServerError(.badRequest, MessageText("badStride", ["value": stride]))
    }
    let limit = configuration.maximumPersonCount
    if !(1...limit).contains(maximumPersonCount) {
      throw ServerError(
        .badRequest,
        MessageText("badPersonCount", ["value": maximumPersonCount, "limit": limit]))
    }
    if isRecording, configuration.recordingFolder == nil {
      throw ServerError(.badRequest, MessageText("recordingForbidden"))
    }
  }
}

extension SessionSettings: Encodable {
  fileprivate enum CodingKeys: CodingKey {
    case model, isClassifying, isCounting, countsPairs, isLifting, ignoredJoints
    case confidenceThreshold, stride, maximumPersonCount, isRecording, profile
  }
}

/// The settings that a client gives; those that it leaves out stay as they are.
package struct SettingsChange: Decodable, Sendable {
  private var changes: [@Sendable (inout SessionSettings) -> Void] = []

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SessionSettings.CodingKeys.self)
    func read<Value: Decodable & Sendable>(
      _ key: SessionSettings.CodingKeys,
      _ setting: any WritableKeyPath<SessionSettings, Value> & Sendable
    ) throws {
      guard values.contains(key) else { return }
      let value = try values.decode(Value.self, forKey: key)
      changes.append { $0[keyPath: setting] = value }
    }
    try read(.model, \.model)
    try read(.isClassifying, \.isClassifying)
    try read(.isCounting, \.isCounting)
    try read(.countsPairs, \.countsPairs)
    try read(.isLifting, \.isLifting)
    try read(.ignoredJoints, \.ignoredJoints)
    try read(.confidenceThreshold, \.confidenceThreshold)
    try read(.stride, \.stride)
    try read(.maximumPersonCount, \.maximumPersonCount)
    try read(.isRecording, \.isRecording)
    try read(.profile, \.profile)
  }

  func applied(to settings: SessionSettings) -> SessionSettings {
    var settings = settings
    for change in changes { change(&settings) }
    return settings
  }
}
