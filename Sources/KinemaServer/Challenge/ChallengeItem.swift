/// An item of a challenge: an action and a number of repetitions or seconds.
package struct ChallengeItem: Hashable, Sendable {
  /// The model's label.
  package var label: String
  package var text: String
  /// The repetitions to do; `nil` for seconds.
  package var repetitions: Int?
  /// The seconds to do; `nil` for repetitions.
  package var seconds: Double?

  /// Creates an item; the default text is the label.
  package init(
    label: String, text: String? = nil, repetitions: Int? = nil, seconds: Double? = nil
  ) {
    self.label = label
    self.text = text ?? label
    self.repetitions = repetitions
    self.seconds = seconds
  }

  package static let maximumRepetitions = 10_000
  /// Largest number of seconds: a day.
  package static let maximumSeconds = 86_400.0
  /// Longest label, in characters.
  package static let maximumLabelLength = 200

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
      throw ServerError(.badRequest, "Give \(name) either repetitions or seconds, and not both.")
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
