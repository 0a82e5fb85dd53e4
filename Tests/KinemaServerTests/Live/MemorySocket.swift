import Foundation
import KinemaHTTP
import KinemaServer
import Synchronization

/// A WebSocket without a network that records what the server sends.
final class MemorySocket: WebSocket {
  let messages: AsyncStream<WebSocketMessage>
  let sent: AsyncStream<WebSocketMessage>
  private let incoming: AsyncStream<WebSocketMessage>.Continuation
  private let outgoing: AsyncStream<WebSocketMessage>.Continuation
  private let closing = Mutex<UInt16?>(nil)
  private let clientClosing = Mutex<UInt16?>(nil)

  init() {
    (messages, incoming) = AsyncStream.makeStream(of: WebSocketMessage.self)
    (sent, outgoing) = AsyncStream.makeStream(of: WebSocketMessage.self)
  }

  /// The code with which the server closed; `nil` while it has not.
  var closeCode: UInt16? { closing.withLock { $0 } }

  func send(_ message: WebSocketMessage) {
    outgoing.yield(message)
  }

  func sendLatest(_ message: WebSocketMessage, kind: String) -> Bool {
    outgoing.yield(message)
    return false
  }

  func close(code: UInt16, reason: String) {
    closing.withLock { $0 = $0 ?? code }
    incoming.finish()
    outgoing.finish()
  }

  // MARK: - The client's side

  func receive(_ message: WebSocketMessage) {
    incoming.yield(message)
  }

  var clientCloseCode: UInt16? { clientClosing.withLock { $0 } }

  /// Breaks the connection, or closes it with a code.
  func hangUp(code: UInt16? = nil) {
    clientClosing.withLock { $0 = code }
    incoming.finish()
    outgoing.finish()
  }
}
