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
      /// Which set it is, from 1, and of how many.
      package var set: Int
      package var sets: Int
      @Nullable package var weight: Double?
      package var state: ItemState
    }

    package let type = "challenge"
    package var state: State
    /// The index of the active item, or of the last one when finished.
    package var index: Int
    package var items: [Item]
    /// The rest's duration and what is left of it, in seconds; `nil` unless resting.
    @Nullable package var rest: Rest?

    package struct Rest: Encodable, Hashable, Sendable {
      package var seconds: Double
      package var left: Double
    }

    package static let idle = Message(state: .idle, index: 0, items: [], rest: nil)
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
          set: progress.set, sets: progress.item.sets, weight: progress.item.weight,
          state: progress.state)
      },
      rest: rest.map { rest in
        Message.Rest(seconds: rest.seconds, left: (rest.left * 10).rounded(.up) / 10)
      })
  }
}
