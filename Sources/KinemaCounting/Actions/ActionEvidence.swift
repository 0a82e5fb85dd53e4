/// What a classifier says of a window of poses.
package struct ActionEvidence: Sendable {
  /// When the window begins and ends, in seconds.
  package var timeRange: Range<Double>
  /// The label; `nil` where none is confident enough.
  package var action: String?
  /// The confidence of the label, from 0 to 1.
  package var confidence: Double
  /// The probability of each label; empty for a window that was not classified.
  package var probabilities: [String: Double]

  package init(
    timeRange: Range<Double>, action: String?, confidence: Double, probabilities: [String: Double]
  ) {
    self.timeRange = timeRange
    self.action = action
    self.confidence = confidence
    self.probabilities = probabilities
  }
}
