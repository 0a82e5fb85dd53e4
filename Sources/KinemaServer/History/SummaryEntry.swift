/// How long and how often an action was done in a session.
package struct SummaryEntry: Codable, Hashable, Sendable {
  /// The model's label, or the text that stands for the lack of one.
  package var label: String
  /// The label in words for people.
  package var text: String
  /// Whether ``label`` is one of the model's.
  package var isModelLabel: Bool
  /// The time in seconds.
  package var seconds: Double
  /// The repetitions; 0 where none were counted.
  package var repetitions: Int

  package init(
    label: String, text: String, isModelLabel: Bool, seconds: Double, repetitions: Int = 0
  ) {
    self.label = label
    self.text = text
    self.isModelLabel = isModelLabel
    self.seconds = seconds
    self.repetitions = repetitions
  }
}
