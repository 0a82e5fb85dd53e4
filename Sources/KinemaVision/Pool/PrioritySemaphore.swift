import Synchronization

/// A semaphore whose waiting tasks acquire it in the order of their ranks.
final class PrioritySemaphore: Sendable {
  private struct State {
    var freeCount: Int
    var waiting: [(rank: PosePool.Rank, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(freeCount: count))
  }

  /// Acquires it where its count is above zero.
  func acquireNow() -> Bool {
    state.withLock { state in
      guard state.freeCount > 0 else { return false }
      state.freeCount -= 1
      return true
    }
  }

  /// Acquires it, after a wait where its count is zero; cancellation does not end the wait.
  func acquire(_ rank: PosePool.Rank) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.freeCount > 0 {
          state.freeCount -= 1
          return true
        }
        let index = state.waiting.firstIndex { rank < $0.rank } ?? state.waiting.endIndex
        state.waiting.insert((rank, continuation), at: index)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  /// Lets the waiting task of lowest rank acquire it, or raises its count.
  func release() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
      state.freeCount += 1
      return nil
    }
    next?.resume()
  }
}
