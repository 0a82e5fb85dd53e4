/// The formats of annotation files.
public enum AnnotationFormat: String, Hashable, Codable, Sendable, CaseIterable {
  /// Whichever of the others the file's content is.
  case automatic
  /// CSV or JSON with a row for each stretch, as Create ML reads: file, label, start and end time.
  case table
  /// Label Studio's JSON or JSON-MIN export of `TimelineLabels`: stretches as frame numbers.
  case labelStudio = "label-studio"
  /// LabelU's JSON export of its segment tool for videos: stretches in seconds.
  case labelU = "labelu"
  /// A CSV with the columns `type,name,count,L1,L2,…`, as RepCount and Countix have it: frame numbers
  /// of the beginning and the end of each repetition.
  case repetitionCounts = "repetition-counts"
}

/// The names of the columns of an annotation file.
struct AnnotationColumns: Hashable, Sendable {
  static let defaultVideo = "file_name"
  static let defaultLabel = "label"
  static let defaultStartTime = "start_time"
  static let defaultEndTime = "end_time"

  var video = defaultVideo
  var label = defaultLabel
  var startTime: String? = defaultStartTime
  var endTime: String? = defaultEndTime

  /// The names under which a column is looked for: that which the user chose, or the usual ones.
  var videoNames: [String] {
    guard video == Self.defaultVideo else { return [video] }
    return [video, "file", "filename", "video", "videoPath", "video_path", "path"]
  }
  var labelNames: [String] { label == Self.defaultLabel ? [label, "class", "action"] : [label] }
  var startTimeNames: [String] {
    startTime == Self.defaultStartTime
      ? [Self.defaultStartTime, "start", "startTime"] : startTime.map { [$0] } ?? []
  }
  var endTimeNames: [String] {
    endTime == Self.defaultEndTime
      ? [Self.defaultEndTime, "end", "endTime"] : endTime.map { [$0] } ?? []
  }
}
