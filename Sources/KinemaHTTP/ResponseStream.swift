package import Foundation
import Synchronization

/// A body that is sent as it comes, to a client that stays connected.
///
/// What waits for a client is bounded: the response of a slower one ends.
package final class ResponseStream: Sendable {
  private struct State {
    var waiting: [Data] = []
    var byteCount = 0
    var isEnded = false
  }

  /// Is sent while nothing else is, so that both sides notice a broken connection.
  let pulse: Data
  /// Rings when there is something to send.
  let bell = Bell()
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: The most bytes that wait for the client.
  package init(pulse: Data, limit: Int = 256 << 10) {
    self.pulse = pulse
    self.limit = limit
  }

  /// Queues a part; ends the response where too much waits already.
  package func send(_ part: Data) {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.waiting.append(part)
      state.byteCount += part.count
      if state.byteCount > limit { (state.waiting, state.isEnded) = ([], true) }
    }
    bell.ring()
  }

  /// Ends the response after what waits.
  package func end() {
    state.withLock { $0.isEnded = true }
    bell.ring()
  }

  // MARK: The connection's side

  /// What waits, together; `nil` at the end.
  package func take() -> Data? {
    state.withLock { state in
      if state.isEnded, state.waiting.isEmpty { return nil }
      defer { (state.waiting, state.byteCount) = ([], 0) }
      return state.waiting.reduce(Data(), +)
    }
  }
}
