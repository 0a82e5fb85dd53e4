public import Foundation

/// Says that in a stretch of a video, or of a file of poses, an action is done.
public struct ActionAnnotation: Hashable, Sendable {
  /// A moment of a video.
  public enum Moment: Hashable, Sendable {
    /// Seconds from the start of the video.
    case seconds(TimeInterval)
    /// The frame of that number, the first being 0.
    case frame(Int)
  }

  /// The video, or the file of poses.
  public var url: URL
  /// The file as the user named it, for messages.
  public var file: String
  /// What is done.
  public var label: String
  /// When the stretch begins; `nil` for the start of the video.
  public var start: Moment?
  /// When the stretch ends, the first moment that is not part of it; `nil` for the end of the video.
  public var end: Moment?
  /// Where this is said, for messages, such as `annotations.csv, row 7`; `nil` if in no file.
  public var place: String?

  /// Creates an annotation; without start and end it stands for the whole video.
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

  /// The place and the file, as the beginning of a sentence.
  var subject: String {
    place.map { "\($0) (\(file))" } ?? file
  }
}
