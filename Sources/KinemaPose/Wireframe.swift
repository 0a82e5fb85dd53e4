/// Which joints are joined by a line when a person or a hand is drawn.
package struct Wireframe: Hashable, Sendable {
  /// Two joints with a line between them.
  package struct Limb: Hashable, Sendable {
    /// The joint at one end, nearer to the trunk where there is a difference.
    package let start: JointKey
    /// The joint at the other end.
    package let end: JointKey

    /// Creates a limb between two joints.
    package init(_ start: JointKey, _ end: JointKey) {
      self.start = start
      self.end = end
    }
  }

  /// A limb of a certain pose: its two joints with their places.
  package struct Segment: Hashable, Sendable {
    /// The joint at one end, in normalised coordinates, origin at the lower left.
    package let start: JointPoint
    /// The joint at the other end, in normalised coordinates, origin at the lower left.
    package let end: JointPoint
  }

  /// The joints, in the order in which classifiers take them.
  package let joints: [JointKey]
  /// The limbs, in the order in which they are drawn.
  package let limbs: [Limb]

  /// The limbs of a pose whose two joints are confident.
  ///
  /// Joints without finite coordinates are left out like those that were not found.
  package func segments(of pose: Pose) -> [Segment] {
    limbs.compactMap { limb in
      guard
        let start = pose.drawableJoint(limb.start),
        let end = pose.drawableJoint(limb.end)
      else { return nil }
      return Segment(start: start, end: end)
    }
  }
}

extension Wireframe {
  /// The limbs of a body: trunk, legs, arms and head.
  package static let body = Wireframe(
    joints: JointKey.body,
    limbs: [
      Limb(.leftShoulder, .leftHip), Limb(.rightShoulder, .rightHip), Limb(.leftHip, .rightHip),
      Limb(.neck, .leftShoulder), Limb(.neck, .rightShoulder),
      Limb(.leftHip, .leftKnee), Limb(.leftKnee, .leftAnkle),
      Limb(.rightHip, .rightKnee), Limb(.rightKnee, .rightAnkle),
      Limb(.neck, .nose),
      Limb(.nose, .leftEye), Limb(.leftEye, .leftEar),
      Limb(.nose, .rightEye), Limb(.rightEye, .rightEar),
      Limb(.leftShoulder, .leftElbow), Limb(.leftElbow, .leftWrist),
      Limb(.rightShoulder, .rightElbow), Limb(.rightElbow, .rightWrist),
    ])

  /// The limbs of a hand: each finger from the wrist to its tip.
  package static let hand = Wireframe(
    joints: JointKey.hand,
    limbs: [
      [.wrist, .thumbCMC, .thumbMP, .thumbIP, .thumbTip],
      [.wrist, .indexMCP, .indexPIP, .indexDIP, .indexTip],
      [.wrist, .middleMCP, .middlePIP, .middleDIP, .middleTip],
      [.wrist, .ringMCP, .ringPIP, .ringDIP, .ringTip],
      [.wrist, .littleMCP, .littlePIP, .littleDIP, .littleTip],
    ].flatMap { (finger: [JointKey]) in
      zip(finger, finger.dropFirst()).map { Limb($0, $1) }
    })
}

extension Wireframe {
  /// The limbs of feet, of poses that have landmarks.
  package static let feet = Wireframe(
    joints: [.leftHeel, .rightHeel, .leftToes, .rightToes],
    limbs: [
      Limb(.leftAnkle, .leftHeel), Limb(.leftHeel, .leftToes), Limb(.leftAnkle, .leftToes),
      Limb(.rightAnkle, .rightHeel), Limb(.rightHeel, .rightToes), Limb(.rightAnkle, .rightToes),
    ])
}

extension Pose {
  private func footPoint(_ key: JointKey) -> JointPoint? {
    guard Wireframe.feet.joints.contains(key), let landmark = landmark(key) else { return nil }
    return JointPoint(
      key, position: SIMD2(landmark.position.x, landmark.position.y),
      confidence: min(landmark.visibility, landmark.presence))
  }

  /// The wireframe that fits the pose: a hand's if it has a hand's wrist, a body's otherwise.
  package var wireframe: Wireframe { keypoints[.wrist] == nil ? .body : .hand }

  /// A confident joint, or landmark of a foot, with finite coordinates.
  package func drawableJoint(_ key: JointKey) -> JointPoint? {
    guard let point = keypoints[key] ?? footPoint(key),
      point.isUsable(above: JointPoint.leastConfidence),
      point.position.x.isFinite, point.position.y.isFinite
    else { return nil }
    return point
  }
}
