import Foundation
package import KinemaPose

/// A labelled pose sequence of a synthetic person, as from a pose network.
package struct SyntheticMotionSample: Hashable, Sendable {
  package let label: String
  package let motion: Motion
  package let frameRate: Double
  /// Width of the frame divided by its height.
  package let aspectRatio: Float
  /// `[frames, 3, 18]` values: x, y and confidence of ``KinemaPose/JointKey/body``, normalised to
  /// the frame, origin at the lower left; all zeros without a pose.
  package let values: [Float]
  /// The repetitions that are completed in it, in seconds from its start; the first may have begun
  /// before.
  package let repetitions: [SyntheticSession.Repetition]

  package init(
    label: String, motion: Motion, frameRate: Double, aspectRatio: Float, values: [Float],
    repetitions: [SyntheticSession.Repetition]
  ) {
    self.label = label
    self.motion = motion
    self.frameRate = frameRate
    self.aspectRatio = aspectRatio
    self.values = values
    self.repetitions = repetitions
  }

  package var frameCount: Int { values.count / (3 * JointKey.body.count) }

  /// The frames as poses of person 1.
  package var poses: PoseSequence {
    let size = 3 * JointKey.body.count
    // Poses have a shape, but no pixels.
    let height = 720.0
    let picture = CGSize(width: (height * Double(aspectRatio)).rounded(), height: height)
    let frames = (0..<frameCount).map { index in
      let pose = Pose(multiArray: values[(index * size)..<((index + 1) * size)], personID: 1)
      return PoseSequence.Frame(
        time: Double(index) / frameRate, poses: pose.keypoints.isEmpty ? [] : [pose],
        size: picture)
    }
    return PoseSequence(frames: frames)
  }
}
