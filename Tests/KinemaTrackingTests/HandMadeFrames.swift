import KinemaPose
import KinemaTracking

extension Pose {
  /// A standing person of half the frame's height with the hips at a position.
  static func standing(_ id: Int, x: Float, confidence: Float = 1) -> Pose {
    let places: [JointKey: SIMD2<Float>] = [
      .nose: SIMD2(0, 0.28), .leftShoulder: SIMD2(0.04, 0.2), .rightShoulder: SIMD2(-0.04, 0.2),
      .leftHip: SIMD2(0.03, 0), .rightHip: SIMD2(-0.03, 0), .leftKnee: SIMD2(0.03, -0.12),
      .rightKnee: SIMD2(-0.03, -0.12), .leftAnkle: SIMD2(0.03, -0.24),
      .rightAnkle: SIMD2(-0.03, -0.24),
    ]
    let points = places.map { key, place in
      (key, JointPoint(key, position: place + SIMD2(x, 0.5), confidence: confidence))
    }
    return Pose(from: Dictionary(uniqueKeysWithValues: points), personID: id)
  }
}

extension Pose {
  /// A hand of a fiftieth of the frame's height with the wrist at a position.
  static func hand(_ id: Int, x: Float) -> Pose {
    let points = JointKey.hand.enumerated().map { index, key in
      (
        key,
        JointPoint(key, position: SIMD2(x, 0.5 + 0.001 * Float(index)), confidence: 1)
      )
    }
    return Pose(
      from: Dictionary(uniqueKeysWithValues: points), personID: id, chirality: .right)
  }
}

extension WaitingFrame<Void> {
  /// A square frame of a video at 20 frames a second.
  init(
    _ number: Int, _ poses: [Pose], appearances: [Int: Appearance] = [:],
    rules: TrackingRules = .bodies
  ) {
    self.init(
      number: number, time: Double(number) / 20,
      people: poses.map { pose in
        TrackedPerson(
          pose, aspectRatio: 1, appearance: pose.personID.flatMap { appearances[$0] },
          rules: rules)
      },
      limits: (1000, 1000), payload: ())
  }

  var poses: [Pose] { people.map(\.pose) }

  /// The id of the person with the nose at a position.
  func id(at x: Float) -> Int? {
    poses.first { abs(($0.keypoints[.nose]?.position.x ?? 0) - x) < 0.01 }?.personID
  }
}
