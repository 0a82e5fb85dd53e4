/// A joint of the body; the raw value is its place in ``JointKey/body`` and in arrays with that order.
package enum BodyJoint: Int, CaseIterable, Sendable {
  case nose, neck
  case rightShoulder, rightElbow, rightWrist, leftShoulder, leftElbow, leftWrist
  case rightHip, rightKnee, rightAnkle, leftHip, leftKnee, leftAnkle
  case rightEye, leftEye, rightEar, leftEar

  /// The number of joints.
  package static let count = allCases.count
  /// The joints that show how large a body is and how it moves: nose and limbs.
  package static let noseAndLimbs: [BodyJoint] =
    [.nose] + allCases[rightShoulder.rawValue...leftAnkle.rawValue]
  /// The joints of both sides, from shoulder to ankle.
  package static let limbPairs: [(right: BodyJoint, left: BodyJoint)] = [
    (.rightShoulder, .leftShoulder), (.rightElbow, .leftElbow), (.rightWrist, .leftWrist),
    (.rightHip, .leftHip), (.rightKnee, .leftKnee), (.rightAnkle, .leftAnkle),
  ]

  /// All joints of both sides.
  package static let pairs = limbPairs + [(.rightEye, .leftEye), (.rightEar, .leftEar)]

  /// The same joint of the other side; those of the middle are their own.
  package var otherSide: BodyJoint { Self.otherSides[rawValue] }

  private static let otherSides: [BodyJoint] = {
    var others = allCases
    for (right, left) in pairs {
      (others[right.rawValue], others[left.rawValue]) = (left, right)
    }
    return others
  }()

  /// The name of the joint in poses.
  package var key: JointKey { JointKey.body[rawValue] }
}

extension Array {
  /// The element of a joint, in an array in the order of ``JointKey/body``.
  package subscript(joint: BodyJoint) -> Element {
    get { self[joint.rawValue] }
    set { self[joint.rawValue] = newValue }
  }
}
