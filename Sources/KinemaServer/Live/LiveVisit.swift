import Foundation
import KinemaHTTP
import Synchronization

/// A client from its `start` on: what it sends goes to its session, or is held while it waits for
/// one.
final class LiveVisit: Sendable {
  private struct State {
    var serving: (session: LiveSession, connection: Int)?
    var queueing: Task<Void, Never>?
    /// What came before the session began, other than frames.
    var held: [String] = []
  }

  /// How many messages are held, and the most bytes of one; later and longer ones are dropped.
  private static let heldLimit = (count: 16, bytes: 16 << 10)

  let socket: any WebSocket
  private let state = Mutex(State())

  init(_ socket: any WebSocket) { self.socket = socket }

  /// Notes the work that waits for a session; it ends with ``begin(_:_:)`` or nothing.
  func wait(_ queueing: Task<Void, Never>) { state.withLock { $0.queueing = queueing } }

  /// Hands what comes, and what was held, to a session that has begun.
  func begin(_ session: LiveSession, _ connection: Int) async {
    while true {
      let next: String? = state.withLock { state in
        guard state.held.isEmpty else { return state.held.removeFirst() }
        state.serving = (session, connection)
        return nil
      }
      guard let next else { return }
      await session.receive(.text(next))
    }
  }

  func receive(_ message: WebSocketMessage) async {
    guard let session = state.withLock({ $0.serving?.session }) else { return hold(message) }
    await session.receive(message)
  }

  /// The client has gone: its session and the number of its connection there, if it had one.
  func end() async -> (session: LiveSession, connection: Int)? {
    let queueing = state.withLock { $0.queueing }
    queueing?.cancel()
    await queueing?.value
    return state.withLock { $0.serving }
  }

  private func hold(_ message: WebSocketMessage) {
    guard case .text(let text) = message, text.utf8.count <= Self.heldLimit.bytes else { return }
    // What is no message is refused by the session.
    if case .ping(let time) = try? ClientMessage(text) {
      return socket.send(PongMessage(time: time).webSocketMessage)
    }
    state.withLock { state in
      if state.held.count < Self.heldLimit.count { state.held.append(text) }
    }
  }
}
