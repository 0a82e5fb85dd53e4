import KinemaPose

extension Pose {
  /// The largest confidence of a joint outside the frame: inferred, and below the threshold of
  /// drawing and bounding boxes (0.2).
  static let outsideConfidence: Float = 0.1

  /// The pose of a body: the 18 joints of ``JointKey/body``, from BlazePose's 33 points.
  ///
  /// A joint's confidence is the lower of visibility and presence; the neck is the mid-point of the
  /// shoulders with the lower confidence.
  init(_ body: BodyLandmarks, width: Int, height: Int, id: Int?) {
    let size = SIMD2(Float(width), Float(height))
    var joints: [JointKey: JointPoint] = [:]
    func add(_ key: JointKey, _ pixel: SIMD2<Float>, _ confidence: Float) {
      let share = pixel / size
      let isInside = (0...1).contains(share.x) && (0...1).contains(share.y)
      joints[key] = JointPoint(
        key, position: SIMD2(share.x, 1 - share.y),
        confidence: isInside ? confidence : min(confidence, Self.outsideConfidence))
    }
    for (key, index) in Self.landmarkIndices {
      add(key, body.points[index].position, body.points[index].confidence)
    }
    let (left, right) = (body.points[Self.shoulders.left], body.points[Self.shoulders.right])
    add(.neck, (left.position + right.position) / 2, min(left.confidence, right.confidence))
    self.init(from: joints, confidence: body.presence, personID: id)
  }

  /// BlazePose's point of each joint.
  private static let landmarkIndices: [(JointKey, Int)] = [
    (.nose, 0), (.leftEye, 2), (.rightEye, 5), (.leftEar, 7), (.rightEar, 8),
    (.leftShoulder, 11), (.rightShoulder, 12), (.leftElbow, 13), (.rightElbow, 14),
    (.leftWrist, 15), (.rightWrist, 16), (.leftHip, 23), (.rightHip, 24), (.leftKnee, 25),
    (.rightKnee, 26), (.leftAnkle, 27), (.rightAnkle, 28),
  ]
  private static let shoulders = (left: 11, right: 12)
}

extension BodyLandmarks.Landmark {
  fileprivate var confidence: Float { min(visibility, presence) }
}
