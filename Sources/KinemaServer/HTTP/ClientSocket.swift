import Foundation
import Synchronization

/// A client's open WebSocket, as the application sees it: two bounded queues.
///
/// The service thread puts in what arrived and takes out what goes; the application does the reverse,
/// from any thread.
final class ClientSocket: WebSocket {
  /// What the service thread is to do for a socket.
  enum Need: Sendable { case write, read }

  /// What waits to be sent.
  private struct Outgoing {
    var frame: WebSocketFrame
    var kind: String?
  }

  private struct State {
    var incoming: [WebSocketMessage] = []
    var incomingBytes = 0
    var isEnded = false
    var isPaused = false
    var takers: [UInt64: CheckedContinuation<WebSocketMessage?, Never>] = [:]
    var nextTaker: UInt64 = 0
    var outgoing: [Outgoing] = []
    var outgoingBytes = 0
    var isWriteAsked = false
    /// The code and reason to close with, once what waits was sent.
    var close: (code: UInt16, reason: String)?
    var isGone = false
    var clientCloseCode: UInt16?
  }

  private let state = Mutex(State())
  private let limits: WebServer.Limits
  private let wake: @Sendable (Need) -> Void

  init(limits: WebServer.Limits, wake: @escaping @Sendable (Need) -> Void) {
    self.limits = limits
    self.wake = wake
  }

  var clientCloseCode: UInt16? { state.withLock { $0.clientCloseCode } }

  var messages: AsyncStream<WebSocketMessage> {
    AsyncStream { await self.take() }
  }

  func send(_ message: WebSocketMessage) {
    enqueue(Outgoing(frame: WebSocketFrame(message)))
  }

  @discardableResult
  func sendLatest(_ message: WebSocketMessage, kind: String) -> Bool {
    enqueue(Outgoing(frame: WebSocketFrame(message), kind: kind))
  }

  func close(code: UInt16, reason: String) {
    let asks = state.withLock { state in
      guard !state.isGone, state.close == nil else { return false }
      state.close = (code, reason)
      return Self.askWrite(&state)
    }
    if asks { wake(.write) }
  }

  @discardableResult
  private func enqueue(_ item: Outgoing) -> Bool {
    let (replaced, asks) = state.withLock { state in
      guard !state.isGone, state.close == nil else { return (false, false) }
      var replaced = false
      if let kind = item.kind,
        let index = state.outgoing.firstIndex(where: { $0.kind == kind })
      {
        // The newer one goes to the end: messages of several kinds keep their order.
        state.outgoingBytes -= state.outgoing.remove(at: index).frame.size
        replaced = true
      }
      state.outgoing.append(item)
      state.outgoingBytes += item.frame.size
      if state.outgoingBytes > limits.outgoingBytes {
        state.outgoing = []
        state.outgoingBytes = 0
        state.close = (1008, "Too much waits to be read.")
      }
      return (replaced, Self.askWrite(&state))
    }
    if asks { wake(.write) }
    return replaced
  }

  private static func askWrite(_ state: inout State) -> Bool {
    defer { state.isWriteAsked = true }
    return !state.isWriteAsked
  }

  // MARK: The application's side of what arrives

  private func take() async -> WebSocketMessage? {
    let id = state.withLock { state in
      state.nextTaker += 1
      return state.nextTaker
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var resumes = false
        let ready: WebSocketMessage?? = state.withLock { state in
          guard state.incoming.isEmpty else {
            let message = state.incoming.removeFirst()
            state.incomingBytes -= message.size
            resumes = state.isPaused && !isFull(state)
            if resumes { state.isPaused = false }
            return .some(message)
          }
          guard !state.isEnded, !Task.isCancelled else { return .some(nil) }
          state.takers[id] = continuation
          return .none
        }
        if resumes { wake(.read) }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      let taker = state.withLock { $0.takers.removeValue(forKey: id) }
      taker?.resume(returning: nil)
    }
  }

  private func isFull(_ state: borrowing State) -> Bool {
    state.incoming.count >= limits.incomingMessages || state.incomingBytes >= limits.incomingBytes
  }

  // MARK: The service thread's side

  /// Whether the application, or a limit, has asked to close.
  var isClosing: Bool { state.withLock { $0.close != nil } }

  /// Hands over what arrived.
  ///
  /// - Returns: Whether there is room for more; without it, ``Need/read`` is asked for later.
  func deliver(_ message: WebSocketMessage) -> Bool {
    let (taker, hasRoom) = state.withLock {
      state -> (CheckedContinuation<WebSocketMessage?, Never>?, Bool) in
      guard !state.isEnded else { return (nil, true) }
      if let first = state.takers.keys.min() {
        return (state.takers.removeValue(forKey: first), true)
      }
      state.incoming.append(message)
      state.incomingBytes += message.size
      state.isPaused = isFull(state)
      return (nil, !state.isPaused)
    }
    taker?.resume(returning: message)
    return hasRoom
  }

  /// No more messages come; the client may have closed with a code.
  func end(clientCloseCode code: UInt16? = nil) {
    let takers = state.withLock { state in
      state.isEnded = true
      state.clientCloseCode = state.clientCloseCode ?? code
      defer { state.takers = [:] }
      return Array(state.takers.values)
    }
    for taker in takers { taker.resume(returning: nil) }
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
      state.isWriteAsked = false
      guard !state.isGone, let close = state.close else { return nil }
      state.isGone = true
      return .close(close.code, reason: close.reason)
    }
  }
}

extension WebSocketMessage {
  /// How many bytes it has.
  var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let data): data.count
    }
  }
}
