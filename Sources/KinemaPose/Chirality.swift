/// Which of a person's hands a hand is.
public enum Chirality: String, Codable, Sendable, CaseIterable {
  /// The person's own left hand.
  case left
  /// The person's own right hand.
  case right
}
