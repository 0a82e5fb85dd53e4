package import Foundation
package import KinemaPose

/// Poses at a steady frame rate, as the numbers that an action classifier takes.
///
/// Frames are brought to the rate by their times as ``ActionRecognizer`` does it. A joint that was
/// not found is (0, 1, 0), a frame without a person is all zeros.
package struct PoseFrames: Sendable {
  package let times: [TimeInterval]
  package let showsPerson: [Bool]
  /// The numbers, `[frames, 3, joints]`.
  package let values: [Float]
  package let frameSize: Int

  /// Takes the first person of each frame, at `frameRate` frames per second, above 0.
  package init(_ poses: PoseSequence, frameRate: Double, joints: [JointKey]) {
    var resampler = PoseResampler(frameRate: frameRate)
    var times: [TimeInterval] = []
    var showsPerson: [Bool] = []
    var values: [Float] = []
    for frame in poses.frames {
      for due in resampler.add(frame.poses.first, at: frame.time) {
        times.append(due.time)
        showsPerson.append(due.pose?.keypoints.isEmpty == false)
        values += (due.pose ?? .empty).multiArray(of: joints)
      }
    }
    self.times = times
    self.showsPerson = showsPerson
    self.values = values
    frameSize = 3 * joints.count
  }

  package var count: Int { times.count }

  /// The window that begins at a frame, filled up with empty frames behind the last.
  package func window(from start: Int, size: Int) -> [Float] {
    let end = min(start + size, count)
    let padding = repeatElement(Float(0), count: (size - max(0, end - start)) * frameSize)
    return Array(values[(start * frameSize)..<(end * frameSize)]) + padding
  }
}
