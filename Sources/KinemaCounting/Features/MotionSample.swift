package import KinemaPose

/// One frame of a person, as counting needs it: the joints that were found, in undistorted
/// coordinates.
package struct MotionSample: Sendable {
  /// The presentation time in seconds.
  package let time: Double
  /// The places of the 18 joints of ``JointKey/body``: heights of the picture from its lower left
  /// corner; only those in ``found`` mean anything.
  package let positions: [SIMD2<Float>]
  /// Which joints were found, a bit each in the order of ``JointKey/body``.
  package let found: UInt32

  /// The longer side of the body, as a share of the picture, under which there is no person: some data
  /// sets write "no pose" as all joints on one point.
  static let smallestBody: Float = 0.02

  /// Creates a sample.
  ///
  /// - Parameters:
  ///   - pose: The pose; `nil` or one without joints where the person is not visible.
  ///   - time: The presentation time in seconds.
  ///   - aspectRatio: The picture's width divided by its height.
  package init(_ pose: Pose?, at time: Double, aspectRatio: Float = 1) {
    self.time = time
    var positions = [SIMD2<Float>](repeating: .zero, count: BodyJoint.count)
    var found: UInt32 = 0
    var lower = SIMD2<Float>(repeating: .infinity)
    var upper = -lower
    for joint in BodyJoint.allCases {
      guard let point = pose?.keypoints[joint.key], point.confidence > JointPoint.leastConfidence,
        point.position.x.isFinite, point.position.y.isFinite
      else { continue }
      positions[joint] = point.position * SIMD2(aspectRatio, 1)
      found |= 1 << UInt32(joint.rawValue)
      guard BodyJoint.noseAndLimbs.contains(joint) else { continue }
      lower = pointwiseMin(lower, point.position)
      upper = pointwiseMax(upper, point.position)
    }
    let isBody = (upper - lower).max() > Self.smallestBody
    self.positions = positions
    self.found = isBody ? found : 0
  }

  /// Whether a joint was found.
  package func has(_ joint: BodyJoint) -> Bool { found & (1 << UInt32(joint.rawValue)) != 0 }
}
