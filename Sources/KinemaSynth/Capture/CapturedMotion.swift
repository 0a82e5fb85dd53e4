/// The joints of a frame of motion capture, in the order of its archives.
package enum CapturedJoint: Int, CaseIterable, Sendable {
  case head, nose, neck, leftShoulder, rightShoulder, leftElbow, rightElbow, leftWrist, rightWrist
  case leftHip, rightHip, leftKnee, rightKnee, leftAnkle, rightAnkle, leftHeel, rightHeel
  case leftToe, rightToe
}

/// How a real person moved: a sequence of motion capture.
package struct CapturedMotion: Sendable {
  /// The places of ``CapturedJoint``, in metres: y up, x and z on the floor.
  package typealias Frame = [SIMD3<Float>]

  package let frames: [Frame]
  package let frameRate: Double
  /// The height of the person, in metres, from the mean lengths of the bones.
  package let stature: Float

  /// From the ankles to the middle of the ears, as a share of stature: shank, thigh, trunk and neck
  /// of ``SyntheticPerson``.
  private static let measuredShare: Float = 0.891
  /// What is believed of a person's height, in metres.
  private static let statures: ClosedRange<Float> = 1...2.3

  /// - Parameter frames: At least one.
  package init(frames: [Frame], frameRate: Double) {
    precondition(!frames.isEmpty && frameRate > 0, "A motion has frames at a rate.")
    self.frames = frames
    self.frameRate = frameRate
    let lengths = frames.map { frame in
      let shoulders = (frame.at(.leftShoulder) + frame.at(.rightShoulder)) / 2
      let hips = (frame.at(.leftHip) + frame.at(.rightHip)) / 2
      return (frame.at(.head) - shoulders).length + (shoulders - hips).length
        + (frame.at(.leftHip) - frame.at(.leftKnee)).length
        + (frame.at(.leftKnee) - frame.at(.leftAnkle)).length
    }
    let mean = lengths.reduce(0, +) / Float(lengths.count)
    stature = min(
      max(mean / Self.measuredShare, Self.statures.lowerBound), Self.statures.upperBound)
  }

  /// In seconds.
  package var duration: Double { Double(frames.count) / frameRate }

  /// The body at a moment, in seconds from the start; before and after the motion as at its ends.
  package func skeleton(at time: Double) -> Skeleton {
    let last = Double(frames.count - 1)
    let place = min(max(0, time * frameRate), last)
    // Whole numbers within the frames, so that the conversions give a value.
    let before = Int(exactly: place.rounded(.down)) ?? 0
    let after = Int(exactly: place.rounded(.up)) ?? 0
    let share = Float(place - Double(before))
    return Skeleton(
      zip(frames[before], frames[after]).map { blend($0, $1, share) }, stature: stature)
  }
}

extension [SIMD3<Float>] {
  // Swift 6.0 does not choose between a second subscript and that of `BodyJoint`.
  fileprivate func at(_ joint: CapturedJoint) -> SIMD3<Float> { self[joint.rawValue] }
}

extension Skeleton {
  /// The body of a frame.
  ///
  /// Its nose says only where the face is turned: eyes, ears and nose are about the
  /// head as those of synthetic people are.
  fileprivate init(_ frame: CapturedMotion.Frame, stature: Float) {
    self.init()
    left = Side(
      shoulder: frame.at(.leftShoulder), elbow: frame.at(.leftElbow), wrist: frame.at(.leftWrist),
      fingertips: frame.at(.leftWrist), hip: frame.at(.leftHip), knee: frame.at(.leftKnee),
      ankle: frame.at(.leftAnkle), ball: frame.at(.leftToe))
    right = Side(
      shoulder: frame.at(.rightShoulder), elbow: frame.at(.rightElbow),
      wrist: frame.at(.rightWrist),
      fingertips: frame.at(.rightWrist), hip: frame.at(.rightHip), knee: frame.at(.rightKnee),
      ankle: frame.at(.rightAnkle), ball: frame.at(.rightToe))
    neck = (left.shoulder + right.shoulder) / 2
    root = (left.hip + right.hip) / 2
    head = frame.at(.head)
    chestForward = (left.shoulder - right.shoulder).cross(neck - root).normalized
    headUp = (head - neck).normalized
    headForward = (frame.at(.nose) - head).perpendicular(to: headUp).normalized
    placeFace(stature: stature)
  }
}
