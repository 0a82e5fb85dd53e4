/// A part of a session's timeline with one action.
package struct Stretch: Hashable, Sendable {
  /// The start, in seconds from the start of the session.
  package var start: Double
  /// The end, in seconds from the start of the session.
  package var end: Double
  /// The model's label, or the text for the lack of one.
  package var label: String
  package var text: String
  package var isModelLabel: Bool
  /// The person's id; `nil` without a person.
  package var person: Int?
  /// The repetitions; 0 if not counted.
  package var repetitions: Int

  package init(
    start: Double, end: Double, label: String, text: String, isModelLabel: Bool,
    person: Int? = nil, repetitions: Int = 0
  ) {
    self.start = start
    self.end = end
    self.label = label
    self.text = text
    self.isModelLabel = isModelLabel
    self.person = person
    self.repetitions = repetitions
  }
}

extension Stretch: Codable {
  private enum CodingKeys: CodingKey {
    case start, end, label, text, isModelLabel, person, repetitions
  }

  /// Encodes a missing person as `null`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(start, forKey: .start)
    try container.encode(end, forKey: .end)
    try container.encode(label, forKey: .label)
    try container.encode(text, forKey: .text)
    try container.encode(isModelLabel, forKey: .isModelLabel)
    try container.encode(person, forKey: .person)
    try container.encode(repetitions, forKey: .repetitions)
  }
}
