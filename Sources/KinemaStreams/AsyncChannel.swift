import Synchronization

/// Passes values from senders to readers, one at a time, with back-pressure.
///
/// ``send(_:)`` waits until a reader takes the value, so nothing is queued. Cancellation ends a
/// wait. Each value goes to one reader.
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

  /// Sends a value and waits until it is taken; drops it if the channel is finished or the task
  /// cancelled.
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
