import Foundation
package import KinemaHTTP
package import KinemaVision
import Synchronization

/// Serves live sessions over WebSockets; see `docs/live-protocol.md`.
package final class LiveService: Sendable {
  private struct SessionTable {
    /// Those that have a connection, and those that can be resumed.
    var sessions: [String: LiveSession] = [:]
    /// The tickets of clients that wait for a session, the next one first.
    var queue: [UUID] = []
    var isEnding = false

    var takenCount: Int { sessions.values.count(where: \.connection.isAttached) }
  }

  /// The code of a client that has finished (RFC 6455 §7.4.1).
  private static let normalClosure: UInt16 = 1000

  package let configuration: LiveConfiguration
  let context: LiveContext
  private let table = Mutex(SessionTable())
  /// How long the threads had worked, and when, at the last request for metrics.
  private let lastLoad = Mutex((busySeconds: 0.0, time: ProcessInfo.processInfo.systemUptime))

  package init(
    configuration: LiveConfiguration = LiveConfiguration(), models: any LiveModels,
    history: any LiveHistory, sources: [SessionSource] = [], runtime: VisionRuntime = .located()
  ) {
    let metrics = LiveMetrics()
    self.configuration = configuration
    context = LiveContext(
      configuration: configuration, models: models, history: history,
      pool: PosePool(
        workerCount: configuration.workerCount,
        loading: .bodies(
          .init(
            precision: configuration.settings.precision, device: configuration.settings.device)),
        runtime: runtime),
      metrics: metrics,
      sources: Dictionary(
        sources.map { ($0.description.id, SharedSource($0, metrics: metrics)) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// Waits until frames can be processed; throws ``KinemaVision/VisionError`` if a part is missing.
  package func prepare() async throws {
    try await context.pool.prepare(context.subject(maximumPersonCount: 1))
  }

  package var sessionCount: Int { table.withLock { $0.takenCount } }

  /// For how long after a frame somebody is still taken to be live, in seconds: longer than the pauses of a slow
  /// connection.
  private static let servingTime = 3.0
  /// Whether frames of sessions are being processed: a page that is paused or learns sends none.
  package var isServing: Bool {
    ProcessInfo.processInfo.systemUptime - context.metrics.values.analysedAt < Self.servingTime
  }

  package func serve(_ socket: any WebSocket, request: HTTPRequest) async {
    let startTime = configuration.startTime
    let watchdog = Task {
      try await Task.sleep(for: .seconds(startTime))
      let text = MessageText("noStart", ["seconds": Int(startTime)])
      Self.refuse(socket, ServerError(.badRequest, text), closing: 1008)
    }
    defer { watchdog.cancel() }
    let visit = LiveVisit(socket)
    var hasStarted = false
    for await message in socket.messages {
      if hasStarted {
        await visit.receive(message)
      } else {
        watchdog.cancel()
        hasStarted = await open(message, visit)
        if !hasStarted { break }
      }
    }
    let serving = await visit.end()
    guard let serving else { return }
    guard await serving.session.detach(serving.connection) else { return }
    if socket.clientCloseCode == Self.normalClosure {
      table.withLock { $0.sessions[serving.session.key] = nil }
      await serving.session.end()
    } else {
      expire(serving.session)
    }
  }

  /// Ends all sessions and saves them; no more are accepted.
  package func shutDown() async {
    let sessions = table.withLock { table in
      table.isEnding = true
      defer { table.sessions = [:] }
      return Array(table.sessions.values)
    }
    for session in sessions { await session.end() }
    context.pool.end()
  }

  // MARK: - Beginning

  /// Starts or resumes the session of the first message, or queues its client; returns whether it
  /// was accepted.
  private func open(_ message: WebSocketMessage, _ visit: LiveVisit) async -> Bool {
    let start: ClientMessage
    do {
      guard case .text(let text) = message else {
        throw ServerError(.badRequest, MessageText("frameFirst"))
      }
      start = try ClientMessage(text)
    } catch {
      Self.refuse(visit.socket, error, closing: 1008)
      return false
    }
    guard case .start(let source, let settings, let key) = start else {
      Self.refuse(
        visit.socket, ServerError(.badRequest, MessageText("notStart")), closing: 1008)
      return false
    }
    let ticket = UUID()
    do {
      if let place = try admit(visit.socket, taking: key, ticket) {
        await begin(place, of: visit, source: source, settings: settings)
      } else {
        visit.wait(
          Task {
            await self.queue(ticket, visit, taking: key, source: source, settings: settings)
          })
      }
      return true
    } catch {
      refuseBusy(visit.socket, error)
      return false
    }
  }

  private func begin(
    _ place: Place, of visit: LiveVisit, source: SourceChoice, settings: SettingsChange?
  ) async {
    if place.isNew {
      await place.session.begin(source: source, settings: settings)
    } else {
      await place.session.resume(source: source, settings: settings)
    }
    await place.evicted?.end()
    await visit.begin(place.session, place.connection)
  }

  private func refuseBusy(_ socket: any WebSocket, _ error: any Error) {
    context.metrics.update { $0.refusalCount += 1 }
    Self.refuse(socket, error, as: .busy, closing: 1013)
  }

  // MARK: - Queue

  /// Waits until the client of a ticket is the next one and there is room, and begins its session.
  private func queue(
    _ ticket: UUID, _ visit: LiveVisit, taking key: String?, source: SourceChoice,
    settings: SettingsChange?
  ) async {
    defer { table.withLock { $0.queue.removeAll { $0 == ticket } } }
    var reported: Int?
    do {
      while true {
        if let place = try admit(visit.socket, taking: key, ticket) {
          return await begin(place, of: visit, source: source, settings: settings)
        }
        let number = table.withLock { $0.queue.firstIndex(of: ticket) }.map { $0 + 1 }
        if let number, number != reported {
          visit.socket.send(QueuedMessage(place: number).webSocketMessage)
          reported = number
        }
        try await Task.sleep(for: .seconds(configuration.queueInterval))
      }
    } catch is CancellationError {
    } catch {
      refuseBusy(visit.socket, error)
    }
  }

  // MARK: - Admission

  private struct Place {
    var session: LiveSession
    var connection: Int
    var isNew: Bool
    /// A session that is dropped to make room.
    var evicted: LiveSession?
  }

  /// Assigns a connection to the session it resumes, or to a new one; `nil` where the client of the
  /// ticket is queued; throws ``ServerError`` if too many are.
  private func admit(
    _ socket: any WebSocket, taking key: String?, _ ticket: UUID
  ) throws -> Place? {
    let load = context.pool.load
    return try table.withLock { table in
      guard !table.isEnding else {
        throw ServerError(.busy, MessageText("serverEnds"))
      }
      let count = table.takenCount
      let known = key.flatMap { table.sessions[$0] }
      // A session with a place keeps it, even before the server notices that its connection broke.
      let hasPlace = known?.connection.isAttached == true
      let isNext = (table.queue.first ?? ticket) == ticket
      let hasRoom =
        count < configuration.maximumSessionCount && (known != nil || canServe(count + 1, load))
      guard hasPlace || isNext && hasRoom else {
        if !table.queue.contains(ticket) {
          guard table.queue.count < configuration.maximumWaitingCount else {
            throw ServerError(.busy, MessageText("serverFull", ["sessions": count]))
          }
          // Who was here before comes first.
          table.queue.insert(ticket, at: known == nil ? table.queue.count : 0)
        }
        return nil
      }
      table.queue.removeAll { $0 == ticket }
      if let known, let connection = known.attach(socket) {
        return Place(session: known, connection: connection, isNew: false)
      }
      let session = LiveSession(context) { [weak self] in self?.sessionCount ?? 0 }
      guard let connection = session.attach(socket) else {
        throw ServerError(.busy, MessageText("cannotBegin"))
      }
      table.sessions[session.key] = session
      var place = Place(session: session, connection: connection, isNew: true)
      if table.sessions.count > 2 * configuration.maximumSessionCount {
        // Disconnected sessions remain while there is room.
        place.evicted = table.sessions.values.filter { !$0.connection.isAttached }
          .min { $0.connection.detachedAt ?? .infinity < $1.connection.detachedAt ?? .infinity }
        if let key = place.evicted?.key { table.sessions[key] = nil }
      }
      return place
    }
  }

  /// Whether so many sessions would each receive enough frames a second.
  private func canServe(_ sessionCount: Int, _ load: PosePool.Load) -> Bool {
    guard sessionCount > 1, let seconds = load.secondsPerFrame else { return true }
    return Double(sessionCount) * configuration.leastFrameRate * seconds <= Double(load.workerCount)
  }

  private func expire(_ session: LiveSession) {
    let time = configuration.resumeTime
    guard let detachedAt = session.connection.detachedAt else { return }
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(time))
      guard session.connection.detachedAt == detachedAt, let self else { return }
      let isOurs = self.table.withLock { $0.sessions.removeValue(forKey: session.key) != nil }
      if isOurs { await session.end() }
    }
  }

  private static func refuse(
    _ socket: any WebSocket, _ error: any Error, as code: ServerErrorCode = .badRequest,
    closing closeCode: UInt16
  ) {
    let message = ErrorMessage(
      code: code.rawValue, message: "\(error)", text: (error as? any Reported)?.text,
      isFatal: true)
    socket.send(message.webSocketMessage)
    socket.close(code: closeCode, reason: code.rawValue)
  }

  /// The sessions that can be resumed or have a connection.
  var sessions: [LiveSession] { table.withLock { Array($0.sessions.values) } }

  /// The share of the threads' time for which they worked since the last call.
  func utilisation(_ busySeconds: TimeInterval) -> Double {
    let now = ProcessInfo.processInfo.systemUptime
    return lastLoad.withLock { last in
      let available = (now - last.time) * Double(context.pool.workerCount)
      defer { last = (busySeconds, now) }
      return available > 0 ? min(1, (busySeconds - last.busySeconds) / available) : 0
    }
  }
}
