public import KinemaPose

/// A labelled stretch of poses of a synthetic person, as a pose estimator would give them.
public struct SyntheticMotionSample: Hashable, Sendable {
  /// The class.
  public let label: String
  /// What is done.
  public let motion: Motion
  /// Frames per second.
  public let frameRate: Double
  /// `[frames, 3, 18]` values, row by row: x, y and confidence of ``KinemaPose/JointKey/body``,
  /// normalised to the frame, origin at the lower left; all zeros where nobody was found.
  public let values: [Float]
  /// The repetitions that are completed in it, in seconds from its start; the first may have begun
  /// before.
  public let repetitions: [SyntheticSession.Repetition]

  /// How many frames it has.
  public var frameCount: Int { values.count / (3 * JointKey.body.count) }

  /// The frames as poses, with person 1; without a pose where nobody was found.
  public var poses: PoseSequence {
    let size = 3 * JointKey.body.count
    let frames = (0..<frameCount).map { index in
      let pose = Pose(multiArray: values[(index * size)..<((index + 1) * size)], personID: 1)
      return PoseSequence.Frame(
        time: Double(index) / frameRate, poses: pose.keypoints.isEmpty ? [] : [pose])
    }
    return PoseSequence(frames: frames)
  }
}
