import Synchronization

/// Pieces of work and their results.
final class Ledger<R: Sendable>: Sendable {
  private let state: Mutex<(next: Int, results: [R?])>

  init(count: Int) { state = Mutex((0, [R?](repeating: nil, count: count))) }

  /// The number of the next piece of work, if there is one.
  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.results.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  func note(_ result: R, at index: Int) { state.withLock { $0.results[index] = result } }

  var results: [R] { state.withLock { $0.results.compactMap { $0 } } }
}
