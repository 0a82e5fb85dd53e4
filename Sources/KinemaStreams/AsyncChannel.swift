import Synchronization

/// Hands values from one task to another, one at a time and with back-pressure.
///
/// ``send(_:)`` waits until a reader has taken the value, so a fast sender is slowed to the speed
/// of the reader and nothing is queued. A task that is cancelled while it waits stops waiting. Several
/// tasks may send; several may read, each value going to one of them.
public final class AsyncChannel<Element: Sendable>: AsyncSequence, Sendable {
  /// Reads the channel.
  public struct Iterator: AsyncIteratorProtocol {
    let channel: AsyncChannel

    /// The next value; `nil` when the channel is finished or the task cancelled.
    public mutating func next() async -> Element? {
      await channel.receive()
    }
  }

  private let state = Mutex(ChannelState<Element>())

  /// Creates an open channel.
  public init() {}

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(channel: self)
  }

  /// Sends a value and waits until it has been taken.
  ///
  /// Returns at once, and drops the value, when the channel is finished or the task is cancelled.
  public func send(_ element: Element) async {
    let id = state.withLock { $0.makeIdentifier() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let action = state.withLock { $0.send(element, id: id, continuation: continuation) }
        action.perform()
      }
    } onCancel: {
      state.withLock { $0.cancelSend(id) }.perform()
    }
    state.withLock { $0.forget(id) }
  }

  /// Ends the channel: waiting senders return, and readers get `nil`.
  public func finish() {
    state.withLock { $0.finish() }.perform()
  }

  private func receive() async -> Element? {
    let id = state.withLock { $0.makeIdentifier() }
    defer { state.withLock { $0.forget(id) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let action = state.withLock { $0.receive(id: id, continuation: continuation) }
        action.perform()
      }
    } onCancel: {
      state.withLock { $0.cancelReceive(id) }.perform()
    }
  }
}
