package import KinemaPose

package struct LabelledPose: Hashable, Sendable {
  /// When it is, in seconds from the session's start.
  package var time: Double
  /// The 18 joints of the body.
  package var pose: Pose
  /// What is being done; `nil` on the way from one motion to the next.
  package var motion: Motion?
  /// How many repetitions of all motions are complete.
  package var completedRepetitions: Int
}

extension SyntheticSession {
  /// The exact poses and labels from 0 to the session's end.
  package func poses(
    frameRate: Double, from viewpoint: Viewpoint, aspectRatio: Float = 4 / 3
  ) -> [LabelledPose] {
    (0..<frameCount(frameRate: frameRate)).map { index in
      let time = Double(index) / frameRate
      return LabelledPose(
        time: time,
        pose: viewpoint.pose(of: skeleton(at: time), aspectRatio: aspectRatio),
        motion: segment(at: time).motion,
        completedRepetitions: completedRepetitions(at: time))
    }
  }

  /// How many frames the session has at a rate, in frames per second.
  package func frameCount(frameRate: Double) -> Int {
    precondition(frameRate > 0, "A frame rate must be above zero.")
    return Int((duration * frameRate).rounded(.up))
  }
}

extension Viewpoint {
  /// The 18 joints of a body in the frame; a joint outside it has confidence 0.
  package func pose(of skeleton: Skeleton, aspectRatio: Float, personID: Int? = nil) -> Pose {
    pose(
      of: zip(JointKey.body, skeleton.bodyJoints), aspectRatio: aspectRatio, personID: personID)
  }

  /// The pose of joints at places in metres.
  func pose(
    of joints: some Sequence<(JointKey, SIMD3<Float>)>, aspectRatio: Float, personID: Int?
  ) -> Pose {
    var keypoints: [JointKey: JointPoint] = [:]
    for (key, place) in joints {
      let position = projected(place, aspectRatio: aspectRatio)
      let isInside = position.min() >= 0 && position.max() <= 1
      keypoints[key] = JointPoint(key, position: position, confidence: isInside ? 1 : 0)
    }
    return Pose(from: keypoints, personID: personID)
  }
}
