import Foundation
import KinemaHTTP
import Synchronization

/// The connection of a session's client, which may break and be replaced by another one.
final class ClientConnection: Sendable {
  private struct State {
    var socket: (any WebSocket)?
    /// The number of the connection; earlier ones are ignored.
    var number = 0
    /// When it broke, on the server's clock; `nil` while there is one.
    var detachedAt: TimeInterval?
    var isEnded = false
    var ticker: Task<Void, Never>?
    /// How many messages in a row made no sense.
    var faultCount = 0
    /// When an error of the analysis was last reported, on the server's clock.
    var lastErrorTime = -TimeInterval.infinity
    var reportedLatency: (p50: Double?, p95: Double?)
  }

  /// Shortest time between two reports of an error that may recur with every frame, in seconds.
  private static let errorInterval = 5.0

  private let metrics: LiveMetrics
  private let maximumFaultCount: Int
  private let state = Mutex(State())

  init(_ context: LiveContext) {
    metrics = context.metrics
    maximumFaultCount = context.configuration.maximumFaultCount
  }

  var isAttached: Bool { state.withLock { $0.socket != nil } }
  /// When the connection broke, on the server's clock; `nil` while there is one.
  var detachedAt: TimeInterval? { state.withLock { $0.detachedAt } }
  /// From capture to overlay in milliseconds, as the client reported it.
  var reportedLatency: (p50: Double?, p95: Double?) {
    get { state.withLock { $0.reportedLatency } }
    set { state.withLock { $0.reportedLatency = newValue } }
  }

  /// Uses a socket from now on, with a tick once a second; an earlier one is closed.
  ///
  /// Returns the connection's number; `nil` where the session is over.
  func attach(_ socket: any WebSocket, tick: @escaping @Sendable () async -> Void) -> Int? {
    let ticker = Task {
      while true {
        try? await Task.sleep(for: .seconds(1))
        if Task.isCancelled { return }
        await tick()
      }
    }
    let (number, old): (Int?, State) = state.withLock { state in
      let old = state
      guard !state.isEnded else { return (nil, old) }
      (state.socket, state.ticker) = (socket, ticker)
      (state.number, state.detachedAt, state.faultCount) = (state.number + 1, nil, 0)
      return (state.number, old)
    }
    guard let number else {
      ticker.cancel()
      return nil
    }
    old.ticker?.cancel()
    if let socket = old.socket {
      let text = MessageText("resumedElsewhere")
      let error = ErrorMessage(
        code: "resumedElsewhere", message: text.sentence, text: text, isFatal: true)
      socket.send(error.webSocketMessage)
      socket.close(code: 1008, reason: text.sentence)
    }
    return number
  }

  /// Releases a connection that broke; returns whether it was the present one.
  func detach(_ number: Int) -> Bool {
    let ticker: Task<Void, Never>?? = state.withLock { state in
      guard state.number == number, state.socket != nil else { return nil }
      state.socket = nil
      state.detachedAt = ProcessInfo.processInfo.systemUptime
      return .some(state.ticker)
    }
    ticker??.cancel()
    return ticker != nil
  }

  /// Closes the connection; there will be no other; returns whether the session was not over yet.
  func end() -> Bool {
    let old = state.withLock { state in
      defer { (state.socket, state.isEnded) = (nil, true) }
      return state
    }
    guard !old.isEnded else { return false }
    old.socket?.close(code: 1001, reason: "The server ends.")
    old.ticker?.cancel()
    return true
  }

  // MARK: - Messages

  func send(_ message: some ServerMessage) {
    state.withLock { $0.socket }?.send(message.webSocketMessage)
  }

  /// Sends a message that replaces one of the same kind that still waits.
  func send(latest message: WebSocketMessage, kind: String) {
    guard let socket = state.withLock({ $0.socket }) else { return }
    if socket.sendLatest(message, kind: kind) { metrics.update { $0.replacedAnswerCount += 1 } }
  }

  // MARK: - Errors

  /// Reports an error; a fatal one closes the connection.
  func report(
    _ code: String, _ message: String, text: MessageText?, closing closeCode: UInt16? = nil
  ) {
    metrics.update { $0.errorCount += 1 }
    send(ErrorMessage(code: code, message: message, text: text, isFatal: closeCode != nil))
    guard let closeCode else { return }
    state.withLock { $0.socket }?.close(code: closeCode, reason: code)
  }

  /// Reports an error under its own code, or another one.
  func report(_ error: any Error, code: String? = nil) {
    let code = code ?? (error as? ServerError)?.code.rawValue ?? "failed"
    report(code, Self.message(of: error), text: (error as? any Reported)?.text)
  }

  /// Reports an error of the analysis, unless one was reported a moment ago.
  func reportSometimes(_ error: any Error) {
    let now = ProcessInfo.processInfo.systemUptime
    let isDue = state.withLock { state in
      guard now - state.lastErrorTime > Self.errorInterval else { return false }
      state.lastErrorTime = now
      return true
    }
    if isDue { report(error, code: "analysis") }
  }

  /// Reports a message that makes no sense; too many in a row close the connection.
  func reportFault(_ code: String, _ error: any Error) {
    let message = Self.message(of: error)
    let count = state.withLock { state in
      state.faultCount += 1
      return state.faultCount
    }
    if count < maximumFaultCount {
      report(code, message, text: (error as? any Reported)?.text)
    } else if count == maximumFaultCount {
      let text = MessageText("tooManyErrors", ["count": count, "reason": message])
      report("tooManyErrors", text.sentence, text: text, closing: 1008)
    }
  }

  /// Notes that a message made sense.
  func clearFaults() { state.withLock { $0.faultCount = 0 } }

  private static func message(of error: any Error) -> String {
    (error as? any Reported)?.message ?? (error as? any LocalizedError)?.errorDescription
      ?? "\(error)"
  }
}
