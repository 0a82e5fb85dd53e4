package import Foundation

/// What the history holds of a session.
package struct SessionRecord: Hashable, Sendable {
  /// The number by which the history knows it; never given twice.
  package var id: Int
  /// Its name; at first the local day and time at which it began.
  package var name: String
  /// When it began, in whole seconds.
  package var startedAt: Date
  /// How long it has lasted, in seconds.
  package var duration: Double
  /// The name of the model that was last in use; `nil` without one.
  package var model: String?
  /// What was done, in the order in which it was saved.
  package var entries: [SummaryEntry]
  /// Whether it is still going on.
  package var isOpen: Bool
  /// Whether a video of it was recorded.
  package var hasRecording: Bool
  /// When what was done; `nil` in lists of sessions.
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

  /// Writes the start as text and a missing model as `null`; leaves out a missing timeline.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(SessionTime.text(of: startedAt), forKey: .startedAt)
    try container.encode(duration, forKey: .duration)
    try container.encode(model, forKey: .model)
    try container.encode(entries, forKey: .entries)
    try container.encode(isOpen, forKey: .isOpen)
    try container.encode(hasRecording, forKey: .hasRecording)
    try container.encodeIfPresent(timeline, forKey: .timeline)
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
