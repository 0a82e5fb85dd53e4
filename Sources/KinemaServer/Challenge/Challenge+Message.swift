extension Challenge {
  /// What the page is told of a challenge.
  ///
  /// Done seconds are cut to tenths, so that messages differ, and need sending, ten times a second at
  /// most.
  package struct Message: Encodable, Hashable, Sendable {
    /// An item as the page is told of it.
    package struct Item: Hashable, Sendable {
      package var label: String
      package var text: String
      package var repetitions: Int?
      package var seconds: Double?
      package var doneRepetitions: Int
      package var doneSeconds: Double
      package var state: ItemState
    }

    /// Always `challenge`.
    package let type = "challenge"
    package var state: State
    /// The place of the active item; the last one's when all is finished.
    package var index: Int
    package var items: [Item]

    /// What tells that there is no challenge.
    package static let idle = Message(state: .idle, index: 0, items: [])
  }

  /// What the page is told.
  package var message: Message {
    Message(
      state: state, index: index,
      items: progress.map { progress in
        Message.Item(
          label: progress.item.label, text: progress.item.text,
          repetitions: progress.item.repetitions, seconds: progress.item.seconds,
          doneRepetitions: progress.doneRepetitions,
          doneSeconds: progress.state == .done && progress.item.seconds != nil
            ? progress.doneSeconds : (progress.doneSeconds * 10 + 1e-6).rounded(.down) / 10,
          state: progress.state)
      })
  }
}

extension Challenge.Message.Item: Encodable {
  private enum CodingKeys: CodingKey {
    case label, text, repetitions, seconds, doneRepetitions, doneSeconds, state
  }

  /// Spells out a missing target as `null`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(label, forKey: .label)
    try container.encode(text, forKey: .text)
    try container.encode(repetitions, forKey: .repetitions)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(doneRepetitions, forKey: .doneRepetitions)
    try container.encode(doneSeconds, forKey: .doneSeconds)
    try container.encode(state, forKey: .state)
  }
}
