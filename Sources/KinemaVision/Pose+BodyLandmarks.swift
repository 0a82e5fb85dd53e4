package import KinemaPose

extension Pose {
  /// The largest confidence of a joint outside the frame: inferred, and below the threshold of
  /// drawing and bounding boxes (0.2).
  static let outsideConfidence: Float = 0.1

  /// The pose of a body: those of the 18 joints of ``JointKey/body`` whose points it has.
  ///
  /// A joint's confidence is the lower of visibility and presence; the neck is the mid-point of the
  /// shoulders with the lower confidence.
  ///
  /// - Parameter keepsLandmarks: Whether it gets ``landmarks`` as well, where the network gives all of them.
  package init(
    _ body: BodyLandmarks, width: Int, height: Int, id: Int?, keepsLandmarks: Bool = false
  ) {
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
    if keepsLandmarks { landmarks = Self.landmarks(of: body, size: size) }
  }

  private static func landmarks(of body: BodyLandmarks, size: SIMD2<Float>) -> [PoseLandmark]? {
    let known = JointKey.landmarks.compactMap { key -> PoseLandmark? in
      guard let point = BodyPoint(rawValue: key.rawValue), let landmark = body[point],
        let depth = landmark.depth, let world = landmark.world
      else { return nil }
      let share = landmark.position / size
      return PoseLandmark(
        position: SIMD3(share.x, 1 - share.y, -depth / size.x), visibility: landmark.visibility,
        presence: landmark.presence, world: SIMD3(world.x, -world.y, -world.z))
    }
    return known.count == JointKey.landmarks.count ? known : nil
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
