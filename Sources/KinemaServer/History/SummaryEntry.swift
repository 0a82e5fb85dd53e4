/// The totals of an action in a session.
package struct SummaryEntry: Encodable, Hashable, Sendable {
  /// The model's label, or the text for the lack of one.
  package var label: String
  package var text: String
  package var isModelLabel: Bool
  /// The time in seconds.
  package var seconds: Double
  /// The repetitions; 0 if not counted.
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
