package import Foundation
import KinemaFiles

package struct SessionRecord: Hashable, Sendable {
  /// The id, which is never reused.
  package var id: Int
  /// The name; by default the local date and time of the start.
  package var name: String
  /// Whether the name was given by somebody.
  package var isNamed: Bool { name != SessionTime.name(of: startedAt) }
  /// The start, in whole seconds.
  package var startedAt: Date
  /// The duration in seconds.
  package var duration: Double
  /// The last model; `nil` without one.
  package var model: String?
  /// The totals of each action, in the order in which they were saved.
  package var entries: [SummaryEntry]
  /// The sets, in their order.
  package var sets: [TrainedSet]
  package var isOpen: Bool
  /// The id of the profile of who trained; `nil` without one.
  package var profile: Int?
  package var hasRecording: Bool
  /// The timeline; `nil` in lists of sessions.
  package var timeline: [Stretch]?

  package init(
    id: Int, name: String, startedAt: Date, duration: Double = 0, model: String? = nil,
    entries: [SummaryEntry] = [], sets: [TrainedSet] = [], isOpen: Bool = false,
    hasRecording: Bool = false, profile: Int? = nil, timeline: [Stretch]? = nil
  ) {
    self.id = id
    self.name = name
    self.startedAt = startedAt
    self.duration = duration
    self.model = model
    self.entries = entries
    self.sets = sets
    self.isOpen = isOpen
    self.hasRecording = hasRecording
    self.profile = profile
    self.timeline = timeline
  }
}

extension SessionRecord: Encodable {
  /// Encodes the start as text and a missing model as `null`; omits a missing timeline.
  package func encode(to encoder: any Encoder) throws {
    let record: JSONObject = [
      "id": id, "name": name, "isNamed": isNamed, "startedAt": SessionTime.text(of: startedAt),
      "duration": duration, "model": JSONObject.orNull(model), "entries": entries, "sets": sets,
      "isOpen": isOpen,
      "hasRecording": hasRecording, "profile": JSONObject.orNull(profile), "timeline": timeline,
    ]
    try record.encode(to: encoder)
  }
}
