import Foundation
import KinemaVideo
import KinemaVision
import Synchronization

/// A client's session: from `start` to the end of its connection, and a while beyond, so that it can be
/// taken up again.
///
/// Pictures are decoded, looked at and answered on the threads of the ``PosePool``, in the session's
/// turns; so all that is heavy is shared out fairly. What a client says is dealt with in order, by the
/// task that serves its connection.
final class LiveSession: Sendable {
  /// The secret by which a client takes up the session again.
  let key: String
  let context: LiveContext
  let stream: PoseStream
  /// What is made of the pictures; touched in the stream's turns only, so that nobody waits for it.
  let analysis = Mutex(SessionAnalysis())
  let link = Mutex(SessionLink())
  /// How many sessions are served, for statistics.
  let sessionCount: @Sendable () -> Int
  private let ticker = Mutex<Task<Void, Never>?>(nil)
  private let lastSaved = Mutex<(summary: SummaryMessage?, time: TimeInterval)>((nil, 0))

  init(_ context: LiveContext, sessionCount: @escaping @Sendable () -> Int) {
    self.context = context
    self.sessionCount = sessionCount
    stream = context.pool.makeStream(maximumPersonCount: SessionSettings().maximumPersonCount)
    link.withLock { $0.settings.model = context.configuration.defaultModel }
    var generator = SystemRandomNumberGenerator()
    key = (0..<4).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  // MARK: - The connection

  var isAttached: Bool { link.withLock { $0.socket != nil } }
  var detachedAt: TimeInterval? { link.withLock { $0.detachedAt } }

  /// Serves a connection from now on; an earlier one is closed.
  ///
  /// - Returns: The number of the connection; `nil` where the session is over.
  func attach(_ socket: any WebSocket) -> Int? {
    let (number, old): (Int?, (any WebSocket)?) = link.withLock { link in
      guard !link.isEnded else { return (nil, nil) }
      let old = link.socket
      link.socket = socket
      link.connection += 1
      link.detachedAt = nil
      link.faultCount = 0
      return (link.connection, old)
    }
    old?.close(code: 1008, reason: "The session was taken up by another connection.")
    guard let number else { return nil }
    let task = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(1))
        guard !Task.isCancelled, let self else { return }
        await self.tick()
      }
    }
    ticker.withLock { ticker in
      ticker?.cancel()
      ticker = task
    }
    return number
  }

  /// Lets go of a connection that is gone; the session can be taken up for a while.
  ///
  /// - Returns: Whether it was the present one.
  func detach(_ connection: Int) async -> Bool {
    let isCurrent = link.withLock { link in
      guard link.connection == connection, link.socket != nil else { return false }
      link.socket = nil
      link.detachedAt = ProcessInfo.processInfo.systemUptime
      return true
    }
    guard isCurrent else { return false }
    stopTicker()
    unsubscribe()
    await stopRecording()
    await save(isForced: true)
    return true
  }

  /// Ends the session for good and closes its record.
  func end() async {
    let socket: (any WebSocket)?? = link.withLock { link in
      guard !link.isEnded else { return nil }
      link.isEnded = true
      defer { link.socket = nil }
      return .some(link.socket)
    }
    guard let socket else { return }
    socket?.close(code: 1001, reason: "The server ends.")
    stopTicker()
    unsubscribe()
    await stopRecording()
    await closeRecord()
  }

  private func stopTicker() {
    ticker.withLock { ticker in
      ticker?.cancel()
      ticker = nil
    }
  }

  func send(_ message: some ServerMessage) {
    link.withLock { $0.socket }?.send(message.webSocketMessage)
  }

  func send(latest message: WebSocketMessage, kind: String) {
    guard let socket = link.withLock({ $0.socket }) else { return }
    if socket.sendLatest(message, kind: kind) {
      context.metrics.update { $0.replacedAnswerCount += 1 }
    }
  }

  /// Reads or changes what is made of the pictures, when it is the session's turn.
  func inTurn<Result: Sendable>(
    _ body: @escaping @Sendable (inout SessionAnalysis) throws -> Result
  ) async throws -> Result {
    try await stream.perform { _ in try self.analysis.withLock { try body(&$0) } }
  }

  // MARK: - Errors

  /// Tells of an error; a fatal one closes the connection.
  func tell(_ code: String, _ message: String, closing closeCode: UInt16? = nil) {
    context.metrics.update { $0.errorCount += 1 }
    send(ErrorMessage(code: code, message: message, isFatal: closeCode != nil))
    guard let closeCode else { return }
    link.withLock { $0.socket }?.close(code: closeCode, reason: code)
  }

  /// Tells of nonsense; where it does not end the connection is closed.
  func fault(_ code: String, _ message: String) {
    let count = link.withLock { link in
      link.faultCount += 1
      return link.faultCount
    }
    if count < context.configuration.maximumFaultCount {
      tell(code, message)
    } else if count == context.configuration.maximumFaultCount {
      tell(
        "tooManyErrors", "\(count) messages in a row were not understood; the last: \(message)",
        closing: 1008)
    }
  }

  func error(_ error: any Error) -> (code: String, message: String) {
    switch error {
    case let error as ServerError: (error.code.rawValue, error.message)
    case let error as any LocalizedError: ("failed", error.errorDescription ?? "\(error)")
    default: ("failed", "\(error)")
    }
  }

  // MARK: - Once a second

  private func tick() async {
    guard
      let summary = try? await inTurn({ $0.tally.message })
    else { return }
    let isChanged = lastSaved.withLock { $0.summary != summary }
    if isChanged { send(latest: summary.webSocketMessage, kind: "summary") }
    tellStatistics()
    await save(summary)
  }

  private func tellStatistics() {
    let sessionCount = sessionCount()
    let statistics = link.withLock { link in
      let rates = link.takeRates(at: ProcessInfo.processInfo.systemUptime)
      defer { link.latencies.removeAll() }
      return StatisticsMessage(
        cameraFPS: rates.arrived.rounded(places: 1), analysedFPS: rates.analysed.rounded(places: 1),
        dropped: link.droppedCount,
        latency: .init(
          p50: Nullable(link.latencies.percentile(0.5)?.rounded(places: 1)),
          p95: Nullable(link.latencies.percentile(0.95)?.rounded(places: 1))),
        sessions: sessionCount, isRecording: link.recorder != nil)
    }
    send(latest: statistics.webSocketMessage, kind: "statistics")
  }

  // MARK: - The record

  /// Begins a record.
  func beginRecord() async {
    let model = link.withLock { $0.model?.name }
    lastSaved.withLock { $0 = (nil, 0) }
    do {
      let id = try await BlockingThread.run { [history = context.history] in
        try history.begin(model: model, at: Date())
      }
      link.withLock { $0.historyID = id }
    } catch {
      link.withLock { $0.historyID = nil }
      tell("storage", self.error(error).message)
    }
  }

  /// Saves what was done, where it has changed and enough time has passed.
  private func save(_ summary: SummaryMessage? = nil, isForced: Bool = false) async {
    let now = ProcessInfo.processInfo.systemUptime
    let (wasSaved, time) = lastSaved.withLock { $0 }
    guard isForced || now - time >= context.configuration.saveInterval else { return }
    let tally = try? await inTurn { $0.tally }
    let (id, model) = link.withLock { ($0.historyID, $0.model?.name) }
    guard let tally, let id, tally.message != wasSaved else { return }
    lastSaved.withLock { $0 = (tally.message, now) }
    do {
      try await BlockingThread.run { [history = context.history] in
        try history.save(
          id, duration: tally.duration.rounded(places: 2), model: model,
          entries: tally.sortedEntries, timeline: tally.roundedTimeline)
      }
    } catch let error as ServerError where error.code == .notFound {
      // Deleted while it was under way: nothing is kept of it.
      link.withLock { $0.historyID = nil }
    } catch {
      tell("storage", self.error(error).message)
    }
  }

  /// Closes the record.
  func closeRecord() async {
    await save(isForced: true)
    guard let id = link.withLock({ $0.historyID }) else { return }
    link.withLock { $0.historyID = nil }
    try? await BlockingThread.run { [history = context.history] in try history.end(id) }
  }
}
