/// A part of a session's timeline with one action.
package struct Stretch: Encodable, Hashable, Sendable {
  /// The start, in seconds from the start of the session.
  package var start: Double
  /// The end, in seconds from the start of the session.
  package var end: Double
  /// The model's label, or the text for the lack of one.
  package var label: String
  package var text: String
  package var isModelLabel: Bool
  /// The person's id; `nil` without a person.
  @Nullable package var person: Int?
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
