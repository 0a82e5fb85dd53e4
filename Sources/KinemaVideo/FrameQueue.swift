import Dispatch
import Synchronization

/// A bounded queue from a blocking thread, which waits while it is full, to one reading task.
final class FrameQueue<Element: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Element?, any Error>

  private struct State {
    var elements: [Element] = []
    var end: Result<Void, any Error>?
    var waiter: Waiter?
    var isCancelled = false
  }

  private let state = Mutex(State())
  /// Counts free places, and one more when the queue is cancelled.
  private let places = DispatchSemaphore(value: 0)

  init(capacity: Int) { for _ in 0..<capacity { places.signal() } }

  /// Adds an element when there is room; `false` if the queue is cancelled.
  func push(_ element: Element) -> Bool {
    places.wait()
    let (waiter, isCancelled): (Waiter?, Bool) = state.withLock { state in
      if state.isCancelled { return (nil, true) }
      if let waiter = state.waiter {
        state.waiter = nil
        return (waiter, false)
      }
      state.elements.append(element)
      return (nil, false)
    }
    if let waiter {
      places.signal()
      waiter.resume(returning: element)
    }
    return !isCancelled
  }

  /// Ends the queue after its elements.
  func finish(_ end: Result<Void, any Error>) {
    let waiter = state.withLock { state in
      state.end = state.end ?? end
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(with: end.map { nil })
  }

  /// Drops everything and releases the thread; a waiting reader gets a `CancellationError`.
  func cancel() {
    let waiter = state.withLock { state in
      state.isCancelled = true
      state.elements = []
      state.end = .failure(CancellationError())
      defer { state.waiter = nil }
      return state.waiter
    }
    places.signal()
    waiter?.resume(throwing: CancellationError())
  }

  /// The next element; `nil` at the end.
  func pop() async throws -> Element? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Element?, any Error>? = state.withLock { state in
          if !state.elements.isEmpty { return .success(state.elements.removeFirst()) }
          if let end = state.end { return end.map { nil } }
          state.waiter = continuation
          return nil
        }
        guard let result else { return }
        if case .success(.some) = result { places.signal() }
        continuation.resume(with: result)
      }
    } onCancel: {
      cancel()
    }
  }
}
