import Foundation
import KinemaPose
package import KinemaVision

/// A clip as a stream has it that runs already: the person of the clip has done something else before.
///
/// Most clips begin with what they show, and a stream that begins is read differently: its windows are not full
/// yet, and no name has to give way. Most people begin long after their camera.
package enum RunningStream {
  /// How much comes before a clip, in seconds.
  private static let lead = 8.0
  /// The time between the two, in seconds.
  private static let step = 1.0 / 30

  /// The frames of a clip after the end of another one, whose largest person is made the clip's.
  ///
  /// - Parameters:
  ///   - frames: Those of the clip, whose times stay.
  ///   - other: Those of the clip that comes before; its pictures may have another shape.
  /// - Returns: `nil` where one of them shows nobody.
  package static func frames(_ frames: [PosedFrame], after other: [PosedFrame]) -> [PosedFrame]? {
    guard let first = frames.first, let end = other.last?.time,
      let person = frames.lazy.compactMap({ largest(in: $0) }).first
    else { return nil }
    let before = other.filter { $0.time > end - lead }
    guard before.contains(where: { !$0.poses.isEmpty }) else { return nil }
    let shift = first.time - end - step
    return before.map { frame in
      var copy = frame
      copy.time += shift
      copy.givenAspectRatio = first.aspectRatio
      copy.poses =
        largest(in: frame).map { pose in
          var pose = pose
          pose.personID = person.personID
          if let old = frame.aspectRatio, let new = first.aspectRatio {
            pose.keypoints = pose.keypoints.mapValues {
              var point = $0
              point.position.x = 0.5 + (point.position.x - 0.5) * old / new
              return point
            }
          }
          return [pose]
        } ?? []
      return copy
    } + frames
  }

  private static func largest(in frame: PosedFrame) -> Pose? {
    frame.poses.max { $0.boundingBoxArea() < $1.boundingBoxArea() }
  }
}
