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
  /// The person, where the data name people: examples of one person are never split between training
  /// and validation.
  public var person: String?
  /// The segment's time in the video, in seconds.
  public var timeRange: Range<TimeInterval>
  /// The segment's poses at the video's own times: the prominent person's, at most one per frame.
  public var poses: PoseSequence

  /// Creates an example.
  public init(
    label: String, file: String, videoID: String, person: String? = nil,
    timeRange: Range<TimeInterval>, poses: PoseSequence
  ) {
    self.label = label
    self.file = file
    self.videoID = videoID
    self.person = person
    self.timeRange = timeRange
    self.poses = poses
  }

  /// What independent examples differ in: the person where known, else the video.
  var group: String { person.map { "person \($0)" } ?? videoID }
}
