package import KinemaRandom

extension CapturedMotion {
  /// The joints from the middle of the body outwards, each with the one that it hangs on; `nil` is the
  /// middle of the hips.
  private static let bones: [(joint: CapturedJoint, parent: CapturedJoint?)] = [
    (.leftHip, nil), (.rightHip, nil), (.leftKnee, .leftHip), (.rightKnee, .rightHip),
    (.leftAnkle, .leftKnee), (.rightAnkle, .rightKnee), (.leftHeel, .leftAnkle),
    (.rightHeel, .rightAnkle), (.leftToe, .leftAnkle), (.rightToe, .rightAnkle), (.neck, nil),
    (.leftShoulder, .neck), (.rightShoulder, .neck), (.leftElbow, .leftShoulder),
    (.rightElbow, .rightShoulder), (.leftWrist, .leftElbow), (.rightWrist, .rightElbow),
    (.head, .neck), (.nose, .head),
  ]

  /// The joints of the other side.
  private static let mirrored: [CapturedJoint] = [
    .head, .nose, .neck, .rightShoulder, .leftShoulder, .rightElbow, .leftElbow, .rightWrist,
    .leftWrist, .rightHip, .leftHip, .rightKnee, .leftKnee, .rightAnkle, .leftAnkle, .rightHeel,
    .leftHeel, .rightToe, .leftToe,
  ]

  /// By how much the bones of another person are longer, both sides alike: `factors` of ``reshaped``.
  package static func factors(using generator: inout SeededGenerator) -> [Float] {
    var factors = [Float](repeating: 1, count: CapturedJoint.allCases.count)
    let whole = 1 + 0.07 * generator.normal()
    let groups: [[CapturedJoint]] = [
      [.leftHip, .rightHip], [.leftKnee, .rightKnee], [.leftAnkle, .rightAnkle], [.neck],
      [.leftShoulder, .rightShoulder], [.leftElbow, .rightElbow], [.leftWrist, .rightWrist],
      [.head, .nose], [.leftHeel, .rightHeel, .leftToe, .rightToe],
    ]
    for group in groups {
      let factor = min(max(whole * (1 + 0.05 * generator.normal()), 0.6), 1.5)
      for joint in group { factors[joint.rawValue] = factor }
    }
    return factors
  }

  /// The same motion of another person.
  ///
  /// - Parameters:
  ///   - factors: By how much each bone is longer, by the joint at its end, in the order of
  ///     ``CapturedJoint``.
  ///   - isMirrored: Whether left and right are exchanged.
  ///   - frames: The part of the motion that is wanted, a range of ``frames``.
  package func reshaped(
    by factors: [Float], isMirrored: Bool, frames range: Range<Int>
  ) -> CapturedMotion {
    CapturedMotion(
      frames: range.map { index in
        var frame = frames[index]
        if isMirrored {
          frame = Self.mirrored.map { frame[$0.rawValue] * SIMD3(-1, 1, 1) }
        }
        return Self.reshaped(frame, by: factors)
      }, frameRate: frameRate)
  }

  private static func reshaped(_ frame: Frame, by factors: [Float]) -> Frame {
    let root = (frame[CapturedJoint.leftHip.rawValue] + frame[CapturedJoint.rightHip.rawValue]) / 2
    var result = frame
    for (joint, parent) in bones {
      let from = parent.map { frame[$0.rawValue] } ?? root
      let start = parent.map { result[$0.rawValue] } ?? root
      result[joint.rawValue] =
        start + (frame[joint.rawValue] - from) * factors[joint.rawValue]
    }
    return result
  }
}
