/// The order in which a tool lists the points of a body; those that Kinema does not have are `nil`.
struct PointLayout {
  let joints: [JointKey?]

  /// The layout of a list of points, by their number; `nil` for one that is not known.
  init?(pointCount: Int) {
    switch pointCount {
    case 17, 23, 133: self = .coco
    case 18: self = PointLayout(joints: JointKey.body)
    case 25: self = .body25
    case 26, 136: self = .halpe
    case 33...: self = .mediaPipe
    default: return nil
    }
  }

  init(joints: [JointKey?]) { self.joints = joints }

  subscript(index: Int) -> JointKey? { joints.indices.contains(index) ? joints[index] : nil }

  /// COCO's keypoints; COCO-WholeBody and its body with feet begin with them.
  private static let coco = PointLayout(joints: [
    .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow,
    .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle,
    .rightAnkle,
  ])

  /// Halpe's 26 and 136 points (github.com/Fang-Haoshu/Halpe-FullBody): COCO's, head, neck, and others.
  private static let halpe = PointLayout(joints: coco.joints + [nil, .neck])

  /// OpenPose's BODY_25 (doc/02_output.md); its COCO model has Kinema's order.
  static let body25 = PointLayout(joints: [
    .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist,
    .root, .rightHip, .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye,
    .rightEar, .leftEar, nil, nil, nil, nil, nil, nil,
  ])

  /// MediaPipe's 33 pose landmarks (BlazePose).
  private static let mediaPipe = PointLayout(joints: [
    .nose, nil, .leftEye, nil, nil, .rightEye, nil, .leftEar, .rightEar, nil, nil, .leftShoulder,
    .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, nil, nil, nil, nil, nil, nil,
    .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, nil, nil, nil, nil,
  ])

  /// What is read, for messages.
  static let known =
    "17 or 133 (COCO), 18 or 25 (OpenPose), 26 or 136 (Halpe) and 33 (MediaPipe) points are read"
}
