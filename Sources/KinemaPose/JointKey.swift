/// The name of a joint of the body or of a hand.
///
/// `left` and `right` are the person's own.
public struct JointKey: RawRepresentable, Hashable, Sendable, CustomDebugStringConvertible {
  /// The name as used in files, such as `leftShoulder`.
  public let rawValue: String

  /// Creates a key from a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name.
  public var debugDescription: String { rawValue }
}

extension JointKey: Codable, CodingKeyRepresentable {}

// MARK: - The body

extension JointKey {
  /// The nose.
  public static let nose = JointKey(rawValue: "nose")
  /// The mid-point of the shoulders.
  public static let neck = JointKey(rawValue: "neck")
  /// The right shoulder.
  public static let rightShoulder = JointKey(rawValue: "rightShoulder")
  /// The right elbow.
  public static let rightElbow = JointKey(rawValue: "rightElbow")
  /// The right wrist.
  public static let rightWrist = JointKey(rawValue: "rightWrist")
  /// The left shoulder.
  public static let leftShoulder = JointKey(rawValue: "leftShoulder")
  /// The left elbow.
  public static let leftElbow = JointKey(rawValue: "leftElbow")
  /// The left wrist.
  public static let leftWrist = JointKey(rawValue: "leftWrist")
  /// The right hip.
  public static let rightHip = JointKey(rawValue: "rightHip")
  /// The right knee.
  public static let rightKnee = JointKey(rawValue: "rightKnee")
  /// The right ankle.
  public static let rightAnkle = JointKey(rawValue: "rightAnkle")
  /// The left hip.
  public static let leftHip = JointKey(rawValue: "leftHip")
  /// The left knee.
  public static let leftKnee = JointKey(rawValue: "leftKnee")
  /// The left ankle.
  public static let leftAnkle = JointKey(rawValue: "leftAnkle")
  /// The right eye.
  public static let rightEye = JointKey(rawValue: "rightEye")
  /// The left eye.
  public static let leftEye = JointKey(rawValue: "leftEye")
  /// The right ear.
  public static let rightEar = JointKey(rawValue: "rightEar")
  /// The left ear.
  public static let leftEar = JointKey(rawValue: "leftEar")
  /// The mid-point of the hips; not an input of classifiers.
  public static let root = JointKey(rawValue: "root")

  /// The 18 joints of the body in the order of a classifier's input.
  public static let body: [JointKey] = [
    .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist,
    .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye,
    .rightEar, .leftEar,
  ]
}

// MARK: - The hand

extension JointKey {
  /// The wrist of a hand.
  public static let wrist = JointKey(rawValue: "wrist")
  /// The thumb's joint at the wrist (carpometacarpal).
  public static let thumbCMC = JointKey(rawValue: "thumbCMC")
  /// The thumb's joint at the palm (metacarpophalangeal).
  public static let thumbMP = JointKey(rawValue: "thumbMP")
  /// The thumb's joint below the tip (interphalangeal).
  public static let thumbIP = JointKey(rawValue: "thumbIP")
  /// The tip of the thumb.
  public static let thumbTip = JointKey(rawValue: "thumbTip")
  /// The index finger's joint at the palm (metacarpophalangeal).
  public static let indexMCP = JointKey(rawValue: "indexMCP")
  /// The index finger's middle joint (proximal interphalangeal).
  public static let indexPIP = JointKey(rawValue: "indexPIP")
  /// The index finger's joint below the tip (distal interphalangeal).
  public static let indexDIP = JointKey(rawValue: "indexDIP")
  /// The tip of the index finger.
  public static let indexTip = JointKey(rawValue: "indexTip")
  /// The middle finger's joint at the palm (metacarpophalangeal).
  public static let middleMCP = JointKey(rawValue: "middleMCP")
  /// The middle finger's middle joint (proximal interphalangeal).
  public static let middlePIP = JointKey(rawValue: "middlePIP")
  /// The middle finger's joint below the tip (distal interphalangeal).
  public static let middleDIP = JointKey(rawValue: "middleDIP")
  /// The tip of the middle finger.
  public static let middleTip = JointKey(rawValue: "middleTip")
  /// The ring finger's joint at the palm (metacarpophalangeal).
  public static let ringMCP = JointKey(rawValue: "ringMCP")
  /// The ring finger's middle joint (proximal interphalangeal).
  public static let ringPIP = JointKey(rawValue: "ringPIP")
  /// The ring finger's joint below the tip (distal interphalangeal).
  public static let ringDIP = JointKey(rawValue: "ringDIP")
  /// The tip of the ring finger.
  public static let ringTip = JointKey(rawValue: "ringTip")
  /// The little finger's joint at the palm (metacarpophalangeal).
  public static let littleMCP = JointKey(rawValue: "littleMCP")
  /// The little finger's middle joint (proximal interphalangeal).
  public static let littlePIP = JointKey(rawValue: "littlePIP")
  /// The little finger's joint below the tip (distal interphalangeal).
  public static let littleDIP = JointKey(rawValue: "littleDIP")
  /// The tip of the little finger.
  public static let littleTip = JointKey(rawValue: "littleTip")

  /// The 21 joints of a hand in the order of a classifier's input.
  public static let hand: [JointKey] = [
    .wrist, .thumbCMC, .thumbMP, .thumbIP, .thumbTip, .indexMCP, .indexPIP, .indexDIP, .indexTip,
    .middleMCP, .middlePIP, .middleDIP, .middleTip, .ringMCP, .ringPIP, .ringDIP, .ringTip,
    .littleMCP, .littlePIP, .littleDIP, .littleTip,
  ]
}
