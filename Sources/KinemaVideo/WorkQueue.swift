import Dispatch
import Synchronization

/// A bounded queue from waiting tasks to a blocking thread.
final class WorkQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
    var isClosed = false
    var isCancelled = false
    /// The thread's result when it has ended.
    var result: Result<Void, any Error>?
    var observers: [CheckedContinuation<Void, any Error>] = []
  }

  private let capacity: Int
  private let state = Mutex(State())
  /// Counts elements, and one more when the queue is closed or cancelled.
  private let signals = DispatchSemaphore(value: 0)

  init(capacity: Int) { self.capacity = capacity }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Adds an element when there is room; `false` if the queue is closed.
  func push(_ element: Element) async -> Bool {
    while true {
      let outcome: Bool? = state.withLock { state in
        if state.isClosed || state.isCancelled || state.result != nil { return false }
        if state.elements.count >= capacity { return nil }
        state.elements.append(element)
        return true
      }
      if let outcome {
        if outcome { signals.signal() }
        return outcome
      }
      await withCheckedContinuation { continuation in
        let hasRoom = state.withLock { state in
          if state.elements.count < capacity || state.isClosed || state.isCancelled
            || state.result != nil
          {
            return true
          }
          state.waiters.append(continuation)
          return false
        }
        if hasRoom { continuation.resume() }
      }
    }
  }

  /// The next element for the thread; `nil` if there are no more.
  func pop() -> Element? {
    signals.wait()
    let (element, waiters): (Element?, [CheckedContinuation<Void, Never>]) = state.withLock {
      state in
      defer { state.waiters = [] }
      let element =
        state.isCancelled || state.elements.isEmpty ? nil : state.elements.removeFirst()
      return (element, state.waiters)
    }
    waiters.forEach { $0.resume() }
    return element
  }

  /// Accepts no more elements; the thread processes the rest.
  func close() {
    state.withLock { $0.isClosed = true }
    signals.signal()
  }

  func cancel() {
    let waiters = state.withLock { state in
      state.isCancelled = true
      state.elements = []
      defer { state.waiters = [] }
      return state.waiters
    }
    signals.signal()
    waiters.forEach { $0.resume() }
  }

  func end(_ result: Result<Void, any Error>) {
    let (waiters, observers) = state.withLock { state in
      state.result = state.result ?? result
      state.elements = []
      defer {
        state.waiters = []
        state.observers = []
      }
      return (state.waiters, state.observers)
    }
    waiters.forEach { $0.resume() }
    observers.forEach { $0.resume(with: result) }
  }

  /// Waits for the thread to end and throws its error.
  func waitForEnd() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.observers.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
