/// A stretch of a session during which one thing was done.
package struct Stretch: Hashable, Sendable {
  /// When it begins, in seconds from the start of the session.
  package var start: Double
  /// When it ends, in seconds from the start of the session.
  package var end: Double
  /// The model's label, or the text that stands for the lack of one.
  package var label: String
  /// The label in words for people.
  package var text: String
  /// Whether ``label`` is one of the model's.
  package var isModelLabel: Bool
  /// Who did it, by the number of the session's persons; `nil` where nobody was seen.
  package var person: Int?
  /// The repetitions in it; 0 where none were counted.
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

  /// Spells out a missing person as `null`.
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
