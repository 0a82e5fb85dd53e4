package import Foundation
import KinemaFiles

/// The video of an event, which follows it with an id of its own.
package struct ClipAnnouncement: Sendable {
  /// What a clip is called among events.
  static let name = "clip"

  package let id = UUID()
  package let cause: Announcement
  /// MP4.
  package let video: Data

  package init(_ video: Data, of cause: Announcement) { (self.video, self.cause) = (video, cause) }

  /// One line of JSON, without its line feed.
  package var json: Data {
    get throws {
      let event = cause.event
      let object: JSONObject = [
        "schema": 1, "id": id.uuidString.lowercased(),
        "time": cause.time,
        "source": cause.source, "event": Self.name,
        "at": (event.time * 1000).rounded() / 1000, "person": event.person,
        "cause": event.kind.rawValue, "of": cause.id.uuidString.lowercased(),
        "clip": video.base64EncodedString(),
      ]
      return try object.jsonText(isPretty: false).dropLast()
    }
  }
}
