/// The formats of annotation files.
public enum AnnotationFormat: String, Hashable, Codable, Sendable, CaseIterable {
  /// Detected from the content.
  case automatic
  /// CSV or JSON with file, label, start and end time, as in Create ML.
  case table
  /// Label Studio's JSON or JSON-MIN export of `TimelineLabels`, in frame numbers.
  case labelStudio = "label-studio"
  /// LabelU's JSON export of video segments, in seconds.
  case labelU = "labelu"
  /// CSV with the columns `type,name,count,L1,L2,…`, as RepCount and Countix: first and last frame
  /// of each repetition.
  case repetitionCounts = "repetition-counts"
}

/// The names of a table's columns.
package struct AnnotationColumns: Hashable, Sendable {
  static let defaultVideo = "file_name"
  static let defaultLabel = "label"
  static let defaultStartTime = "start_time"
  static let defaultEndTime = "end_time"

  package static let personNames = ["person", "subject", "participant"]

  var video = defaultVideo
  var label = defaultLabel
  var startTime: String? = defaultStartTime
  var endTime: String? = defaultEndTime

  /// The default columns.
  package init() {}

  init(video: String, label: String, startTime: String?, endTime: String?) {
    (self.video, self.label, self.startTime, self.endTime) = (video, label, startTime, endTime)
  }

  /// The accepted names of a column: the user's, or the default ones.
  package var videoNames: [String] {
    guard video == Self.defaultVideo else { return [video] }
    return [video, "file", "filename", "video", "videoPath", "video_path", "path"]
  }
  package var labelNames: [String] {
    label == Self.defaultLabel ? [label, "class", "action"] : [label]
  }
  package var startTimeNames: [String] {
    startTime == Self.defaultStartTime
      ? [Self.defaultStartTime, "start", "startTime"] : startTime.map { [$0] } ?? []
  }
  package var endTimeNames: [String] {
    endTime == Self.defaultEndTime
      ? [Self.defaultEndTime, "end", "endTime"] : endTime.map { [$0] } ?? []
  }
}
