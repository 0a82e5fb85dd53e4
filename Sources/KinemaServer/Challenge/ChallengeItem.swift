/// An item of a challenge: an action and a number of repetitions or seconds.
package struct ChallengeItem: Hashable, Sendable {
  /// The model's label.
  package var label: String
  package var text: String
  /// The repetitions to do; `nil` for seconds.
  package var repetitions: Int?
  /// The seconds to do; `nil` for repetitions.
  package var seconds: Double?
  /// How many times to do it, each with the same target.
  package var sets = 1
  /// The rest after each set, in seconds.
  package var rest = 0.0
  /// The weight in kilograms, for display; `nil` without one.
  package var weight: Double?

  /// Creates an item; the default text is the label.
  package init(
    label: String, text: String? = nil, repetitions: Int? = nil, seconds: Double? = nil,
    sets: Int = 1, rest: Double = 0, weight: Double? = nil
  ) {
    self.label = label
    self.text = text ?? label
    self.repetitions = repetitions
    self.seconds = seconds
    self.sets = sets
    self.rest = rest
    self.weight = weight
  }

  static let maximumRepetitions = 10_000
  /// Largest number of seconds: a day.
  static let maximumSeconds = 86_400.0
  package static let maximumSetCount = 20
  /// Longest rest: an hour, in seconds.
  static let maximumRest = 3_600.0
  /// Largest weight, in kilograms.
  static let maximumWeight = 1_000.0
  /// Longest label, in characters.
  static let maximumLabelLength = 200

  func validate(number: Int) throws {
    guard !label.isEmpty, label.count <= Self.maximumLabelLength else {
      throw ServerError(
        .badRequest,
        MessageText(
          "itemLabel",
          ["item": number, "count": label.count, "limit": Self.maximumLabelLength]))
    }
    guard (1...Self.maximumSetCount).contains(sets), (0...Self.maximumRest).contains(rest),
      weight.map({ $0 > 0 && $0 <= Self.maximumWeight }) ?? true
    else {
      throw ServerError(
        .badRequest,
        MessageText(
          "itemSets",
          [
            "item": number, "sets": Self.maximumSetCount, "rest": Int(Self.maximumRest),
            "weight": Int(Self.maximumWeight),
          ]))
    }
    switch (repetitions, seconds) {
    case (let repetitions?, nil):
      guard (1...Self.maximumRepetitions).contains(repetitions) else {
        throw ServerError(
          .badRequest,
          MessageText(
            "itemRepetitions",
            ["item": number, "value": repetitions, "limit": Self.maximumRepetitions]))
      }
    case (nil, let seconds?):
      guard seconds > 0, seconds <= Self.maximumSeconds else {
        throw ServerError(
          .badRequest,
          MessageText(
            "itemSeconds",
            ["item": number, "value": seconds, "limit": Int(Self.maximumSeconds)]))
      }
    default:
      throw ServerError(.badRequest, MessageText("itemTarget", ["item": number]))
    }
  }
}

extension ChallengeItem: Codable {
  private enum CodingKeys: CodingKey {
    case label, repetitions, seconds, sets, rest, weight
  }

  /// Reads `{"label":"squats","repetitions":10}` or
  /// `{"label":"lunges","seconds":30,"sets":3,"rest":60,"weight":12.5}`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      label: try container.decode(String.self, forKey: .label),
      repetitions: try container.decodeIfPresent(Int.self, forKey: .repetitions),
      seconds: try container.decodeIfPresent(Double.self, forKey: .seconds),
      sets: try container.decodeIfPresent(Int.self, forKey: .sets) ?? 1,
      rest: try container.decodeIfPresent(Double.self, forKey: .rest) ?? 0,
      weight: try container.decodeIfPresent(Double.self, forKey: .weight))
  }
}
