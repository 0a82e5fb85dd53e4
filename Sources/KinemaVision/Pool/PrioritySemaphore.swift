import Synchronization

/// A number of places that tasks take and give back; waiting tasks get them in the order of their ranks.
final class Places: Sendable {
  private struct State {
    var freeCount: Int
    var waiting: [(rank: PosePool.Rank, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(freeCount: count))
  }

  /// Takes a place if one is free.
  func takeNow() -> Bool {
    state.withLock { state in
      guard state.freeCount > 0 else { return false }
      state.freeCount -= 1
      return true
    }
  }

  /// Takes a place, when there is one; cancellation does not end the wait.
  func take(_ rank: PosePool.Rank) async {
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

  /// Gives a place to the waiting task of lowest rank, or back.
  func giveBack() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
      state.freeCount += 1
      return nil
    }
    next?.resume()
  }
}
