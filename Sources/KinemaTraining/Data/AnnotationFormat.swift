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
  /// ActivityNet's JSON, in seconds.
  case activityNet = "activitynet"
  /// A project of VIA 3, JSON, in seconds.
  case via
  /// A document of ELAN (`.eaf`), in milliseconds.
  case elan
  /// CVAT's XML for video, in frames.
  case cvat
  /// BORIS's aggregated events (CSV) or project (`.boris`), in seconds.
  case boris
  /// A list of Kinetics, in seconds.
  case kinetics
  /// A list of Charades, in seconds.
  case charades
}

/// The names of a table's columns.
package struct AnnotationColumns: Hashable, Sendable {
  static let defaultVideo = "file_name"
  static let defaultLabel = "label"
  static let defaultStartTime = "start_time"
  static let defaultEndTime = "end_time"

  package static let personNames = [
    "person", "subject", "participant", "person_id", "subject_id", "participant_id",
  ]

  var video = defaultVideo
  var label = defaultLabel
  var startTime: String? = defaultStartTime
  var endTime: String? = defaultEndTime

  /// The default columns.
  package init() {}

  init(video: String, label: String, startTime: String?, endTime: String?) {
    (self.video, self.label, self.startTime, self.endTime) = (video, label, startTime, endTime)
  }

  /// Whether the columns of times are found by what their names mean (``ColumnName``).
  var hasDefaultTimes: Bool {
    startTime == Self.defaultStartTime && endTime == Self.defaultEndTime
  }

  /// The accepted names of a column, in any spelling: the user's, or the default ones.
  package var videoNames: [String] {
    guard video == Self.defaultVideo else { return [video] }
    return [
      video, "file", "video", "video_path", "path", "file_path", "video_file", "video_name",
    ]
  }
  package var labelNames: [String] {
    label == Self.defaultLabel ? [label, "class", "action"] : [label]
  }
  package static let startTimeNames = [defaultStartTime, "start"]
  package static let endTimeNames = [defaultEndTime, "end"]

  /// The column with one of the names, exact or in another spelling.
  package static func index(of names: [String], in columns: [String]) -> Int? {
    for name in names {
      if let index = columns.firstIndex(of: name) { return index }
    }
    let keys = columns.map { ColumnName($0).key }
    return names.lazy.compactMap { keys.firstIndex(of: ColumnName($0).key) }.first
  }
}
