package import Foundation
import KinemaFiles

package struct SessionRecord: Hashable, Sendable {
  /// The id, which is never reused.
  package var id: Int
  /// The name; by default the local date and time of the start.
  package var name: String
  /// The start, in whole seconds.
  package var startedAt: Date
  /// The duration in seconds.
  package var duration: Double
  /// The last model; `nil` without one.
  package var model: String?
  /// The totals of each action, in the order in which they were saved.
  package var entries: [SummaryEntry]
  package var isOpen: Bool
  package var hasRecording: Bool
  /// The timeline; `nil` in lists of sessions.
  package var timeline: [Stretch]?

  package init(
    id: Int, name: String, startedAt: Date, duration: Double = 0, model: String? = nil,
    entries: [SummaryEntry] = [], isOpen: Bool = false, hasRecording: Bool = false,
    timeline: [Stretch]? = nil
  ) {
    self.id = id
    self.name = name
    self.startedAt = startedAt
    self.duration = duration
    self.model = model
    self.entries = entries
    self.isOpen = isOpen
    self.hasRecording = hasRecording
    self.timeline = timeline
  }
}

extension SessionRecord: Codable {
  private enum CodingKeys: CodingKey {
    case id, name, startedAt, duration, model, entries, isOpen, hasRecording, timeline
  }

  /// Encodes the start as text and a missing model as `null`; omits a missing timeline.
  package func encode(to encoder: any Encoder) throws {
    let record: JSONObject = [
      "id": id, "name": name, "startedAt": SessionTime.text(of: startedAt), "duration": duration,
      "model": JSONObject.orNull(model), "entries": entries, "isOpen": isOpen,
      "hasRecording": hasRecording, "timeline": timeline,
    ]
    try record.encode(to: encoder)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let start = try container.decode(String.self, forKey: .startedAt)
    guard let startedAt = SessionTime.date(from: start) else {
      throw DecodingError.dataCorruptedError(
        forKey: .startedAt, in: container, debugDescription: "“\(start)” is no time.")
    }
    self.init(
      id: try container.decode(Int.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      startedAt: startedAt,
      duration: try container.decode(Double.self, forKey: .duration),
      model: try container.decodeIfPresent(String.self, forKey: .model),
      entries: try container.decode([SummaryEntry].self, forKey: .entries),
      isOpen: try container.decode(Bool.self, forKey: .isOpen),
      hasRecording: try container.decode(Bool.self, forKey: .hasRecording),
      timeline: try container.decodeIfPresent([Stretch].self, forKey: .timeline))
  }
}
