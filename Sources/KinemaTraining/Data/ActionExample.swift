public import Foundation
public import KinemaPose

/// A labelled segment of a video, as poses.
public struct ActionExample: Hashable, Sendable {
  /// The action.
  public var label: String
  /// The file as the user named it, for messages and reports.
  public var file: String
  /// The video's identity: examples with the same value are never split between sets.
  public var videoID: String
  /// The segment's time in the video, in seconds.
  public var timeRange: Range<TimeInterval>
  /// The segment's poses at the video's own times: the prominent person's, at most one per frame.
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
