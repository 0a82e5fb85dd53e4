import KinemaVideo
import Synchronization

/// A source that several sessions share: opened for the first of them, closed after the last.
final class SharedSource: Sendable {
  typealias Receiver = @Sendable (LiveVideoEvent) -> Void

  private struct State {
    var receivers: [Int: Receiver] = [:]
    var nextNumber = 0
    var task: Task<Void, Never>?
    var lastStatus: LiveSourceStatus?
  }

  let source: SessionSource
  private let metrics: LiveMetrics
  private let state = Mutex(State())

  init(_ source: SessionSource, metrics: LiveMetrics) {
    self.source = source
    self.metrics = metrics
  }

  /// Has events given to a receiver until its number is handed in again; receivers must be quick.
  func add(_ receiver: @escaping Receiver) -> Int {
    let (number, status) = state.withLock { state in
      state.nextNumber += 1
      state.receivers[state.nextNumber] = receiver
      if state.task == nil { state.task = Task { await self.run() } }
      return (state.nextNumber, state.lastStatus)
    }
    if let status { receiver(.status(status)) }
    return number
  }

  /// Gives no more events to a receiver.
  func remove(_ number: Int) {
    let task: Task<Void, Never>? = state.withLock { state in
      state.receivers[number] = nil
      guard state.receivers.isEmpty else { return nil }
      defer { (state.task, state.lastStatus) = (nil, nil) }
      return state.task
    }
    task?.cancel()
  }

  private func run() async {
    for await event in source.events() {
      if Task.isCancelled { return }
      let receivers = state.withLock { state in
        if case .status(let status) = event { state.lastStatus = status }
        return Array(state.receivers.values)
      }
      if case .status(let status) = event, status.state == .reconnecting {
        metrics.update { $0.reconnectCount += 1 }
      }
      for receiver in receivers { receiver(event) }
    }
  }
}
