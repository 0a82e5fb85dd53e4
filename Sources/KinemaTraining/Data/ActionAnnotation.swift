package import Foundation
import KinemaFiles

/// A label for a segment of a video or pose file.
package struct ActionAnnotation: Hashable, Sendable {
  /// A time in a video.
  package enum Moment: Hashable, Sendable {
    /// Seconds from the start of the video.
    case seconds(TimeInterval)
    /// A frame number from 0.
    case frame(Int)

    /// A frame, as a time where the rate is known; `nil` for a number that no frame can have.
    static func frame(_ number: Double, at frameRate: Double?) -> Moment? {
      guard abs(number) <= AnnotationTime.largest else { return nil }
      return frameRate.map { .seconds(number / $0) } ?? Int(rounding: number).map { .frame($0) }
    }
  }

  package var url: URL
  /// The file as the user named it, for messages.
  package var file: String
  package var label: String
  /// The person, if named.
  package var person: String?
  /// The set that a table puts it into, if it has a column for them.
  var set: DataSets.Name?
  /// The start of the segment; `nil` for the start of the video.
  package var start: Moment?
  /// The end of the segment, exclusive; `nil` for the end of the video.
  package var end: Moment?
  /// The annotation's location for messages, such as `annotations.csv, row 7`, if any.
  package var place: String?

  /// Creates an annotation; without start and end it labels the whole video.
  package init(
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
  var subject: String { place.map { "\($0) (\(file))" } ?? file }
}
