extension Challenge {
  /// The challenge as sent to the page; done seconds are truncated to tenths, to limit messages.
  package struct Message: Encodable, Hashable, Sendable {
    package struct Item: Encodable, Hashable, Sendable {
      package var label: String
      package var text: String
      @Nullable package var repetitions: Int?
      @Nullable package var seconds: Double?
      package var doneRepetitions: Int
      package var doneSeconds: Double
      package var state: ItemState
    }

    package let type = "challenge"
    package var state: State
    /// The index of the active item, or of the last one when finished.
    package var index: Int
    package var items: [Item]

    package static let idle = Message(state: .idle, index: 0, items: [])
  }

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
