import Foundation
import Synchronization

/// A well-behaved session that echoes all the time while hostile clients run beside it.
final class GoodSession: Sendable {
  private struct State {
    var count = 0
    var failure: String?
    var isWanted = true
    var isDone = false
  }

  private let state = Mutex(State())

  /// Opens the session, and continues until ``finish()``.
  init(_ server: TestServer, headers: [String: String] = [:]) throws {
    let socket = try server.webSocket(headers: headers)
    let thread = Thread { [self] in
      var index = 0
      while state.withLock({ $0.isWanted }) || index < 20 {
        let text = "message \(index)"
        socket.send(text)
        guard socket.receiveText(timeout: 120) == text else {
          state.withLock { $0.failure = "no echo of message \(index)" }
          break
        }
        index += 1
        state.withLock { $0.count = index }
        usleep(8000)
      }
      socket.close()
      state.withLock { $0.isDone = true }
    }
    thread.start()
  }

  /// Ends the session.
  ///
  /// - Returns: What went wrong; `nil` where every message came back.
  func finish() -> String? {
    state.withLock { $0.isWanted = false }
    while !state.withLock({ $0.isDone }) { usleep(2000) }
    return state.withLock { $0.failure }
  }
}
