import Foundation
import Synchronization

/// Passes events from a live source's thread to one task: the newest frame, and all statuses in
/// order.
final class LiveMailbox: Sendable {
  /// Largest number of stored statuses; the oldest are dropped.
  static let statusCapacity = 256

  private typealias Waiter = CheckedContinuation<LiveVideoEvent?, Never>

  private enum Item {
    case status(LiveSourceStatus)
    case picture(Frame, time: TimeInterval)

    var isPicture: Bool { if case .picture = self { true } else { false } }
  }

  private struct State {
    var items: [Item] = []
    var droppedCount = 0
    var waiter: Waiter?
    var isFinished = false

    mutating func event(_ item: Item) -> LiveVideoEvent {
      switch item {
      case .status(let status): .status(status)
      case .picture(let frame, let time): .frame(frame, time: time, droppedCount: droppedCount)
      }
    }
  }

  private let state = Mutex(State())

  func post(_ status: LiveSourceStatus) { post(.status(status)) }

  /// Posts a frame in place of one that was not read, which is counted.
  func post(_ frame: Frame, time: TimeInterval) { post(.picture(frame, time: time)) }

  private func post(_ item: Item) {
    let (waiter, event): (Waiter?, LiveVideoEvent?) = state.withLock { state in
      guard !state.isFinished else { return (nil, nil) }
      if let waiter = state.waiter {
        state.waiter = nil
        return (waiter, state.event(item))
      }
      if item.isPicture, let old = state.items.firstIndex(where: \.isPicture) {
        state.items.remove(at: old)
        state.droppedCount += 1
      }
      state.items.append(item)
      if state.items.count > Self.statusCapacity + 1,
        let oldest = state.items.firstIndex(where: { !$0.isPicture })
      {
        state.items.remove(at: oldest)
      }
      return (nil, nil)
    }
    waiter?.resume(returning: event)
  }

  /// Ends the events after those that wait.
  func finish() {
    let waiter = state.withLock { state in
      state.isFinished = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// Ends the events and drops those that wait.
  func cancel() {
    state.withLock { $0.items = [] }
    finish()
  }

  func next() async -> LiveVideoEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isReady, event): (Bool, LiveVideoEvent?) = state.withLock { state in
          if !state.items.isEmpty { return (true, state.event(state.items.removeFirst())) }
          if state.isFinished { return (true, nil) }
          state.waiter = continuation
          return (false, nil)
        }
        if isReady { continuation.resume(returning: event) }
      }
    } onCancel: {
      cancel()
    }
  }
}
