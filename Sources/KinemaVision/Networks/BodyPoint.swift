/// A point of a body that a network may give; `left` is the person's left.
///
/// The names are those of `JointKey.landmarks`.
package enum BodyPoint: String, CaseIterable, Sendable {
  case nose, leftEyeInner, leftEye, leftEyeOuter, rightEyeInner, rightEye, rightEyeOuter
  case leftEar, rightEar, leftMouth, rightMouth
  case leftShoulder, rightShoulder, leftElbow, rightElbow, leftWrist, rightWrist
  case leftLittleFinger, rightLittleFinger, leftIndexFinger, rightIndexFinger
  case leftThumb, rightThumb
  case leftHip, rightHip, leftKnee, rightKnee, leftAnkle, rightAnkle
  case leftHeel, rightHeel, leftToes, rightToes
}

/// The points that a network gives, in its order.
package struct BodyTopology: Sendable {
  package let points: [BodyPoint]
  private let indices: [BodyPoint: Int]

  package init(_ points: [BodyPoint]) {
    self.points = points
    indices = Dictionary(uniqueKeysWithValues: zip(points, points.indices))
  }

  func index(of point: BodyPoint) -> Int? { indices[point] }
}
