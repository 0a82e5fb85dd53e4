import Foundation
import Kinema
import KinemaFiles

/// OpenPose's `--write_json`: a folder with a file a frame, in the order of BODY_25 (doc/02_output.md).
///
/// Locations are in pixels from the upper left corner. The middle of the hips is computed; points of the feet,
/// and joints that were not found, are (0, 0, 0). Hands are lists of 21 points.
struct OpenPoseFolder: PoseFormat {
  static let name = "openpose"
  static let fileExtension = ""
  static let isText = false
  static let isFolder = true

  private static let pointCount = 25
  /// BODY_25 up to the ears.
  private static let body: [JointKey] = [
    .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist,
    .root, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye,
    .rightEar, .leftEar,
  ]
  private let isOfHands: Bool

  init(joints: [JointKey]) { isOfHands = joints == JointKey.hand }

  static func fileName(ofFrame index: Int, of file: URL) -> String {
    let number = "\(index)"
    let zeros = String(repeating: "0", count: max(0, 12 - number.count))
    return "\(file.deletingPathExtension().lastPathComponent)_\(zeros)\(number)_keypoints.json"
  }

  func add(_ frame: PosedFrame, of file: String, isStillImage: Bool) throws -> Data {
    let people = frame.poses.map { pose -> JSONObject in
      let size = frame.size ?? (1, 1)
      func list(_ keys: [JointKey]) -> [Double] {
        keys.flatMap { Self.point(pose.withRoot[$0], size) }
      }
      let body = isOfHands ? [] : list(Self.body)
      let hand = isOfHands ? list(JointKey.hand) : []
      let padding = isOfHands ? 0 : 3 * (Self.pointCount - Self.body.count)
      return [
        "person_id": [pose.personID ?? -1],
        "pose_keypoints_2d": body + Array(repeating: 0, count: padding),
        "face_keypoints_2d": [Double](),
        "hand_left_keypoints_2d": pose.chirality == .left ? hand : [],
        "hand_right_keypoints_2d": pose.chirality == .right ? hand : [],
        "pose_keypoints_3d": [Double](), "face_keypoints_3d": [Double](),
        "hand_left_keypoints_3d": [Double](), "hand_right_keypoints_3d": [Double](),
      ]
    }
    let document: JSONObject = ["version": 1.3, "people": people]
    return try document.jsonText(isPretty: false)
  }

  private static func point(_ point: JointPoint?, _ size: (width: Int, height: Int)) -> [Double] {
    guard let point, point.confidence > 0 else { return [0, 0, 0] }
    func rounded(_ value: Float) -> Double { (Double(value) * 1000).rounded() / 1000 }
    return [
      rounded(point.position.x * Float(size.width)),
      rounded((1 - point.position.y) * Float(size.height)), rounded(point.confidence),
    ]
  }
}

extension Pose {
  /// The joints, with the middle of the hips.
  fileprivate var withRoot: [JointKey: JointPoint] {
    var points = keypoints
    if let left = keypoints[.leftHip], let right = keypoints[.rightHip] {
      points[.root] = JointPoint(
        .root, position: (left.position + right.position) / 2,
        confidence: min(left.confidence, right.confidence))
    }
    return points
  }
}
