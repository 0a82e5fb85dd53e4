package import KinemaAction
package import KinemaCounting
import KinemaPose

package struct FrameMessage: ServerMessage {
  package struct Person: Encodable, Sendable {
    package var id: Int
    /// Left or right hand; missing for a body or if unknown.
    var hand: Chirality?
    var confidence: Double
    /// The lower left corner, width and height; `nil` where no joint is confident enough.
    @Nullable var box: [Double]?
    /// Place and confidence of each joint, in the order of ``KinemaPose/JointKey/body`` or
    /// ``KinemaPose/JointKey/hand``.
    var joints: [[Double]]
    @Nullable var action: ActionMessage?
    /// How the person holds their body; missing for a hand, and before it is known.
    var posture: Posture?
    /// What the person is occupied with; missing before it is known.
    var activity: PersonAnalysis.Activity?
    /// The set under way; missing at rest.
    var set: CurrentSet?
    package var count: Int
    @Nullable var tempo: Double?
  }

  /// A set under way.
  package struct CurrentSet: Encodable, Hashable, Sendable {
    package var id: Int
    /// Its exercise; `nil` while it has no name.
    @Nullable package var label: String?
    package var kind: LabelKind
    package var repetitions: Int
    /// How long it lasts, in seconds.
    var seconds: Double

    init(_ set: ExerciseSet) {
      (id, label, kind, repetitions) = (set.id, set.action, set.kind, set.repetitions)
      seconds = max(0, set.end - set.start).rounded(places: 1)
    }
  }

  /// The prominent person in three dimensions.
  package struct Body: Encodable, Hashable, Sendable {
    var person: Int
    /// x, y, z and their standard error of each joint, in the order of ``KinemaPose/JointKey/body``, in metres
    /// from the middle of the hips: x to the right in the picture, y up against gravity, z towards the camera.
    package var joints: [[Double]]
    /// The height of the floor, in metres.
    var floor: Double
    /// Angles in degrees with their standard errors, by name.
    package var angles: [String: [Double]]
  }

  package struct Posture: Encodable, Hashable, Sendable {
    var kind: HumanBodyPosture.Kind
    var probability: Double
  }

  let type = "frame"
  var sequence: UInt32
  var time: Double
  var width: Int
  var height: Int
  package var persons: [Person]
  @Nullable package var prominent: Int?
  package var isPinned: Bool
  @Nullable var hint: ViewHint.Code?
  @Nullable var hintText: String?
  /// What the hint says has to move into view.
  var hintParts: [ViewHint.Part]
  @Nullable package var action: ActionMessage?
  /// What the prominent person is occupied with; missing before it is known, and without one.
  package var activity: PersonAnalysis.Activity?
  /// The set under way of the prominent person; missing at rest.
  package var set: CurrentSet?
  /// The prominent person in three dimensions; missing unless the session asks for it.
  package var body: Body?
  package var count: Int
  /// The label of the action that ``count`` is of; `nil` without one.
  @Nullable var countedLabel: String?
  var counts: [String: Int]
  @Nullable var tempo: Double?
  var dropped = 0
  var serverTime = 0.0
}

extension FrameMessage.Person {
  init(_ pose: Pose, id: Int, analysis: PersonAnalysis) {
    self.id = id
    hand = pose.chirality
    confidence = Double(pose.confidence).rounded(places: 3)
    box = pose.boundingBox().map { box in
      let size = box.upperRight - box.lowerLeft
      return [box.lowerLeft.x, box.lowerLeft.y, size.x, size.y].map {
        Double($0).rounded(places: 4)
      }
    }
    joints = (pose.wireframe == .hand ? JointKey.hand : JointKey.body).map { key in
      guard let joint = pose.keypoints[key], joint.position.x.isFinite, joint.position.y.isFinite
      else { return [0, 0, 0] }
      return [
        Double(joint.position.x).rounded(places: 4), Double(joint.position.y).rounded(places: 4),
        Double(joint.confidence).rounded(places: 3),
      ]
    }
    action = analysis.action
    posture = analysis.posture.map {
      .init(kind: $0.kind, probability: $0.probability.rounded(places: 3))
    }
    activity = analysis.activity
    set = analysis.set.map(FrameMessage.CurrentSet.init)
    count = analysis.count
    tempo = analysis.counter?.tempo?.rounded(places: 1)
  }
}

package struct ActionMessage: Encodable, Hashable, Sendable {
  enum Status: String, Encodable, Sendable {
    case startingUp, noPerson, lowConfidence, action
  }

  struct Candidate: Encodable, Hashable, Sendable {
    var label: String
    var probability: Double

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(label)
      try container.encode(probability)
    }
  }

  static let candidateCount = 3

  var status: Status
  @Nullable var label: String?
  package var text: String
  /// The group that is named beside a label that its windows doubt, or where no label is confident; left out
  /// where there is none.
  var group: String?
  var confidence: Double
  var top: [Candidate] = []

  static let startingUp = ActionMessage(
    status: .startingUp, label: nil, text: ActionPrediction.startingUpLabel, confidence: 0)
  static let noPerson = ActionMessage(
    status: .noPerson, label: nil, text: ActionPrediction.noPersonLabel, confidence: 0)
  static let lowConfidence = ActionMessage(
    status: .lowConfidence, label: nil, text: ActionPrediction.lowConfidenceLabel, confidence: 0)
}

extension PersonAnalysis {
  /// The person's action; `nil` without classification.
  ///
  /// A visible person in too few frames of the window is Starting Up, or after a whole window of that
  /// Low Confidence.
  var action: ActionMessage? {
    guard recognizer != nil else { return nil }
    guard let prediction, !(isVisible && prediction.status == .noPerson) else {
      return isVisibleForWindow ? .lowConfidence : .startingUp
    }
    return ActionMessage(prediction)
  }
}

extension ActionMessage {
  init(_ prediction: ActionPrediction) {
    switch prediction.status {
    case .noPerson:
      self = .noPerson
      return
    case .lowConfidence:
      status = .lowConfidence
      label = nil
      group = prediction.group
      text = ActionPrediction.lowConfidenceLabel
    case .action:
      status = .action
      label = prediction.topLabel
      group = prediction.group
      text = ActionPrediction.displayName(of: prediction.label)
    }
    confidence = prediction.confidence.rounded(places: 4)
    top = prediction.distribution.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(Self.candidateCount)
      .map { Candidate(label: $0.key, probability: $0.value.rounded(places: 4)) }
  }
}

extension Double {
  /// The number rounded to decimals, so that it is short in JSON; 0 if not finite.
  func rounded(places: Int) -> Double {
    guard isFinite else { return 0 }
    let scale = [1.0, 10, 100, 1000, 10_000][min(places, 4)]
    return (self * scale).rounded() / scale
  }
}
