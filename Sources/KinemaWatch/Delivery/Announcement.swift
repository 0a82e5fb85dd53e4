package import Foundation
package import KinemaFiles

/// An event as it leaves Kinema: with an id, the time of day and the name of its source.
package struct Announcement: Hashable, Sendable {
  package let id: UUID
  package let date: Date
  package let source: String
  package let event: WatchEvent
  /// A still picture, JPEG, where a rule says so.
  package var picture: Data?

  package init(_ event: WatchEvent, of source: String, id: UUID = UUID(), date: Date = Date()) {
    (self.event, self.source, self.id, self.date) = (event, source, id, date)
  }

  /// The time of day, UTC.
  package var time: String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  package var object: JSONObject {
    [
      "schema": 1, "id": id.uuidString.lowercased(),
      "time": time,
      "source": source, "event": event.kind.rawValue,
      "at": (event.time * 1000).rounded() / 1000, "person": event.person,
      "action": event.action, "count": event.count, "set": event.set, "from": event.from,
      "seconds": event.seconds, "posture": event.posture, "zone": event.zone,
      "zones": event.zones.isEmpty ? nil : event.zones, "line": event.line,
      "direction": event.isInward.map { $0 ? "in" : "out" },
      "why": event.reasons.map { reasons -> JSONObject in
        [
          "speed": reasons.speed, "angle": reasons.angleDegrees, "down": reasons.secondsDown,
        ]
      },
      "message": event.message, "picture": picture?.base64EncodedString(),
    ]
  }

  /// One line of JSON, without its line feed.
  package var json: Data {
    get throws { try object.jsonText(isPretty: false).dropLast() }
  }
}
