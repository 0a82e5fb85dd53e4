/// The state machine of an ``AsyncChannel``; it returns actions and performs none.
struct ChannelState<Element: Sendable> {
  typealias Sending = CheckedContinuation<Void, Never>
  typealias Receiving = CheckedContinuation<Element?, Never>

  /// Actions to perform after the lock is released.
  struct Action {
    var sent: [Sending] = []
    var received: [(Receiving, Element?)] = []

    func perform() {
      for (receiver, element) in received { receiver.resume(returning: element) }
      for sender in sent { sender.resume() }
    }
  }

  private var senders: [(id: Int, element: Element, continuation: Sending)] = []
  private var receivers: [(id: Int, continuation: Receiving)] = []
  /// Waits cancelled before they started.
  private var cancelled: Set<Int> = []
  private var isFinished = false
  private var nextIdentifier = 0

  mutating func makeIdentifier() -> Int {
    nextIdentifier += 1
    return nextIdentifier
  }

  mutating func send(_ element: Element, id: Int, continuation: Sending) -> Action {
    if cancelled.remove(id) != nil || isFinished {
      return Action(sent: [continuation])
    }
    if receivers.isEmpty {
      senders.append((id, element, continuation))
      return Action()
    }
    let receiver = receivers.removeFirst()
    return Action(sent: [continuation], received: [(receiver.continuation, element)])
  }

  mutating func receive(id: Int, continuation: Receiving) -> Action {
    if cancelled.remove(id) != nil {
      return Action(received: [(continuation, nil)])
    }
    if !senders.isEmpty {
      let sender = senders.removeFirst()
      return Action(sent: [sender.continuation], received: [(continuation, sender.element)])
    }
    if isFinished {
      return Action(received: [(continuation, nil)])
    }
    receivers.append((id, continuation))
    return Action()
  }

  mutating func cancelSend(_ id: Int) -> Action {
    guard let index = senders.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return Action()
    }
    return Action(sent: [senders.remove(at: index).continuation])
  }

  mutating func cancelReceive(_ id: Int) -> Action {
    guard let index = receivers.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return Action()
    }
    return Action(received: [(receivers.remove(at: index).continuation, nil)])
  }

  /// Removes a finished wait.
  mutating func forget(_ id: Int) {
    cancelled.remove(id)
  }

  mutating func finish() -> Action {
    isFinished = true
    defer {
      senders.removeAll()
      receivers.removeAll()
    }
    return Action(
      sent: senders.map(\.continuation), received: receivers.map { ($0.continuation, nil) })
  }
}
