public import Foundation

/// A label for a segment of a video or pose file.
public struct ActionAnnotation: Hashable, Sendable {
  /// A time in a video.
  public enum Moment: Hashable, Sendable {
    /// Seconds from the start of the video.
    case seconds(TimeInterval)
    /// A frame number from 0.
    case frame(Int)
  }

  /// The video or pose file.
  public var url: URL
  /// The file as the user named it, for messages.
  public var file: String
  /// The action.
  public var label: String
  /// The start of the segment; `nil` for the start of the video.
  public var start: Moment?
  /// The end of the segment, exclusive; `nil` for the end of the video.
  public var end: Moment?
  /// The annotation's location for messages, such as `annotations.csv, row 7`, if any.
  public var place: String?

  /// Creates an annotation; without start and end it labels the whole video.
  public init(
    url: URL, file: String? = nil, label: String, start: Moment? = nil, end: Moment? = nil,
    place: String? = nil
  ) {
    self.url = url
    self.file = file ?? url.lastPathComponent
    self.label = label
    self.start = start
    self.end = end
    self.place = place
  }

  /// Location and file, as the start of a sentence.
  var subject: String {
    place.map { "\($0) (\(file))" } ?? file
  }
}
