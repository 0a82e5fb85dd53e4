public import Foundation
public import KinemaPose

/// A stretch of a video in which one action is done, as poses.
public struct ActionExample: Hashable, Sendable {
  /// What is done.
  public var label: String
  /// The file as the user named it, for messages and reports.
  public var file: String
  /// What identifies the video: examples with the same value come from the same footage and are
  /// never split between training and validation.
  public var videoID: String
  /// The stretch in the video's own time, in seconds.
  public var timeRange: Range<TimeInterval>
  /// The poses of the stretch at the video's own frame rate and times: in each frame at most one
  /// pose, that of the prominent person; none where nobody was seen.
  public var poses: PoseSequence

  /// Creates an example.
  public init(
    label: String, file: String, videoID: String, timeRange: Range<TimeInterval>,
    poses: PoseSequence
  ) {
    self.label = label
    self.file = file
    self.videoID = videoID
    self.timeRange = timeRange
    self.poses = poses
  }
}
