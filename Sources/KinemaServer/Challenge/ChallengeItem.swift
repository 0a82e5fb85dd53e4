/// A part of a challenge: an action, and how often or how long it is to be done.
package struct ChallengeItem: Hashable, Sendable {
  /// The model's label of the action.
  package var label: String
  /// The label in words for people.
  package var text: String
  /// How many repetitions are to be done; `nil` where seconds are.
  package var repetitions: Int?
  /// How many seconds are to be done; `nil` where repetitions are.
  package var seconds: Double?

  /// Creates an item; without a text, the label is shown as it is.
  package init(
    label: String, text: String? = nil, repetitions: Int? = nil, seconds: Double? = nil
  ) {
    self.label = label
    self.text = text ?? label
    self.repetitions = repetitions
    self.seconds = seconds
  }

  /// The most repetitions that may be asked for.
  package static let maximumRepetitions = 10_000
  /// The most seconds that may be asked for: a day.
  package static let maximumSeconds = 86_400.0
  /// The most characters of a label.
  package static let maximumLabelLength = 200

  /// Refuses an item that could not be shown or done.
  func validate(number: Int) throws {
    let name = "item \(number) of the challenge"
    guard !label.isEmpty, label.count <= Self.maximumLabelLength else {
      throw ServerError(
        .badRequest,
        "The label of \(name) has \(label.count) characters: give it 1 to "
          + "\(Self.maximumLabelLength).")
    }
    switch (repetitions, seconds) {
    case (let repetitions?, nil):
      guard (1...Self.maximumRepetitions).contains(repetitions) else {
        throw ServerError(
          .badRequest,
          "The repetitions of \(name) are \(repetitions): give 1 to \(Self.maximumRepetitions).")
      }
    case (nil, let seconds?):
      guard seconds > 0, seconds <= Self.maximumSeconds else {
        throw ServerError(
          .badRequest,
          "The seconds of \(name) are \(seconds): give more than 0 and at most "
            + "\(Int(Self.maximumSeconds)).")
      }
    default:
      throw ServerError(
        .badRequest, "Give \(name) either repetitions or seconds, and not both.")
    }
  }
}

extension ChallengeItem: Decodable {
  private enum CodingKeys: CodingKey {
    case label, repetitions, seconds
  }

  /// Reads `{"label":"squats","repetitions":10}` or `{"label":"lunges","seconds":30}`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      label: try container.decode(String.self, forKey: .label),
      repetitions: try container.decodeIfPresent(Int.self, forKey: .repetitions),
      seconds: try container.decodeIfPresent(Double.self, forKey: .seconds))
  }
}
