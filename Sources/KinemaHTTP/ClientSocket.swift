import Foundation
import Synchronization

/// A client's open WebSocket, as the application sees it: two bounded queues.
///
/// The connection's thread puts in what arrived and takes out what is sent; the application does the
/// reverse, from any thread.
final class ClientSocket: WebSocket {
  private struct Outgoing {
    var frame: WebSocketFrame
    var kind: String?
  }

  private struct State {
    var incomingCount = 0
    var incomingBytes = 0
    var outgoing: [Outgoing] = []
    var outgoingBytes = 0
    /// The code and reason to close with, once what waits was sent.
    var close: (code: UInt16, reason: String)?
    var isGone = false
    var clientCloseCode: UInt16?
  }

  /// Rings when there is something to send, or room for more messages.
  let bell = Bell()
  private let state = Mutex(State())
  private let limits: WebServer.Limits
  private let incoming: AsyncStream<WebSocketMessage>
  private let arrivals: AsyncStream<WebSocketMessage>.Continuation

  init(limits: WebServer.Limits) {
    self.limits = limits
    // The bound holds because no more is read from the client.
    (incoming, arrivals) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  var clientCloseCode: UInt16? { state.withLock { $0.clientCloseCode } }

  var messages: AsyncStream<WebSocketMessage> { AsyncStream { await self.take() } }

  private func take() async -> WebSocketMessage? {
    var iterator = incoming.makeAsyncIterator()
    guard let message = await iterator.next() else { return nil }
    let makesRoom = state.withLock { state in
      let wasFull = isFull(state)
      state.incomingCount -= 1
      state.incomingBytes -= message.size
      return wasFull && !isFull(state)
    }
    if makesRoom { bell.ring() }
    return message
  }

  private func isFull(_ state: borrowing State) -> Bool {
    state.incomingCount >= limits.incomingMessages || state.incomingBytes >= limits.incomingBytes
  }

  func send(_ message: WebSocketMessage) { enqueue(Outgoing(frame: WebSocketFrame(message))) }

  @discardableResult
  func sendLatest(_ message: WebSocketMessage, kind: String) -> Bool {
    enqueue(Outgoing(frame: WebSocketFrame(message), kind: kind))
  }

  func close(code: UInt16, reason: String) {
    state.withLock { state in
      if state.close == nil { state.close = (code, reason) }
    }
    bell.ring()
  }

  @discardableResult
  private func enqueue(_ item: Outgoing) -> Bool {
    let replaces = state.withLock { state in
      guard !state.isGone, state.close == nil else { return false }
      // The newer one goes to the end: messages of several kinds keep their order.
      let older = item.kind.flatMap { kind in state.outgoing.firstIndex { $0.kind == kind } }
      if let older { state.outgoingBytes -= state.outgoing.remove(at: older).frame.size }
      state.outgoing.append(item)
      state.outgoingBytes += item.frame.size
      if state.outgoingBytes > limits.outgoingBytes {
        state.outgoing = []
        state.outgoingBytes = 0
        state.close = (1008, "Too much waits to be read.")
      }
      return older != nil
    }
    // Where a message is replaced, the bell has been rung for it.
    if !replaces { bell.ring() }
    return replaces
  }

  // MARK: The connection's side

  /// Whether the application, or a limit, has asked to close.
  var isClosing: Bool { state.withLock { $0.close != nil } }
  /// Whether another message may be delivered; when that changes to `true`, ``bell`` rings.
  var hasRoom: Bool { state.withLock { !isFull($0) } }

  /// Hands over what arrived; returns whether there is room for more.
  func deliver(_ message: WebSocketMessage) -> Bool {
    let hasRoom = state.withLock { state in
      state.incomingCount += 1
      state.incomingBytes += message.size
      return !isFull(state)
    }
    arrivals.yield(message)
    return hasRoom
  }

  /// No more messages come; the client may have closed with a code.
  func end(clientCloseCode code: UInt16? = nil) {
    state.withLock { $0.clientCloseCode = $0.clientCloseCode ?? code }
    arrivals.finish()
  }

  /// The connection is gone: what waits is thrown away.
  func drop() {
    state.withLock { state in
      state.isGone = true
      state.outgoing = []
      state.outgoingBytes = 0
    }
    end()
  }

  /// What is to be sent next: a frame, then the close once nothing else waits.
  func nextOutgoing() -> WebSocketFrame? {
    state.withLock { state in
      if !state.outgoing.isEmpty {
        let item = state.outgoing.removeFirst()
        state.outgoingBytes -= item.frame.size
        return item.frame
      }
      guard !state.isGone, let close = state.close else { return nil }
      state.isGone = true
      return .close(close.code, reason: close.reason)
    }
  }
}

extension WebSocketMessage {
  var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let data): data.count
    }
  }
}
