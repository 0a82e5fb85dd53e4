import KinemaPose

extension Pose {
  /// The largest confidence of a joint outside the frame: inferred, and below the threshold of
  /// drawing and bounding boxes (0.2).
  static let outsideConfidence: Float = 0.1

  /// The pose of a body: those of the 18 joints of ``JointKey/body`` whose points it has.
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
    for (key, point) in Self.points {
      if let landmark = body[point] { add(key, landmark.position, landmark.confidence) }
    }
    if let left = body[.leftShoulder], let right = body[.rightShoulder] {
      add(.neck, (left.position + right.position) / 2, min(left.confidence, right.confidence))
    }
    self.init(from: joints, confidence: body.presence, personID: id)
  }

  /// The point of each joint but the neck.
  private static let points: [(JointKey, BodyPoint)] = [
    (.nose, .nose), (.leftEye, .leftEye), (.rightEye, .rightEye), (.leftEar, .leftEar),
    (.rightEar, .rightEar), (.leftShoulder, .leftShoulder), (.rightShoulder, .rightShoulder),
    (.leftElbow, .leftElbow), (.rightElbow, .rightElbow), (.leftWrist, .leftWrist),
    (.rightWrist, .rightWrist), (.leftHip, .leftHip), (.rightHip, .rightHip),
    (.leftKnee, .leftKnee), (.rightKnee, .rightKnee), (.leftAnkle, .leftAnkle),
    (.rightAnkle, .rightAnkle),
  ]
}

extension BodyLandmarks.Landmark {
  fileprivate var confidence: Float { min(visibility, presence) }
}
