import Foundation
package import KinemaVision
import Synchronization

/// Serves live sessions over WebSockets; see `docs/live-protocol.md`.
package final class LiveService: Sendable {
  private struct Places {
    /// Those that have a connection, and those that can be resumed.
    var sessions: [String: LiveSession] = [:]
    var isEnding = false

    var takenCount: Int { sessions.values.count(where: \.connection.isAttached) }
  }

  /// The code of a client that has finished (RFC 6455 §7.4.1).
  private static let normalClosure: UInt16 = 1000

  package let configuration: LiveConfiguration
  let context: LiveContext
  private let places = Mutex(Places())
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
        loading: .bodies(.init(precision: configuration.precision)), runtime: runtime),
      metrics: metrics,
      sources: Dictionary(
        sources.map { ($0.description.id, SharedSource($0, metrics: metrics)) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// Waits until frames can be processed; throws ``KinemaVision/VisionError`` if a part is missing.
  package func prepare() async throws {
    try await context.pool.prepare(context.subject(maximumPersonCount: 1))
  }

  package var sessionCount: Int { places.withLock { $0.takenCount } }

  package func serve(_ socket: any WebSocket, request: HTTPRequest) async {
    let startTime = configuration.startTime
    let watchdog = Task {
      try await Task.sleep(for: .seconds(startTime))
      Self.refuse(
        socket, "badRequest", "No start came within \(Int(startTime)) seconds: send it first.",
        closing: 1008)
    }
    defer { watchdog.cancel() }
    var serving: (session: LiveSession, connection: Int)?
    for await message in socket.messages {
      if let serving {
        await serving.session.receive(message)
      } else {
        watchdog.cancel()
        serving = await open(message, on: socket)
        if serving == nil { break }
      }
    }
    guard let serving else { return }
    guard await serving.session.detach(serving.connection) else { return }
    if socket.clientCloseCode == Self.normalClosure {
      places.withLock { $0.sessions[serving.session.key] = nil }
      await serving.session.end()
    } else {
      expire(serving.session)
    }
  }

  /// Ends all sessions and saves them; no more are accepted.
  package func shutDown() async {
    let sessions = places.withLock { places in
      places.isEnding = true
      defer { places.sessions = [:] }
      return Array(places.sessions.values)
    }
    for session in sessions { await session.end() }
    context.pool.end()
  }

  // MARK: - Beginning

  /// Starts or resumes the session of the first message; `nil` if refused.
  private func open(
    _ message: WebSocketMessage, on socket: any WebSocket
  ) async -> (session: LiveSession, connection: Int)? {
    let start: ClientMessage
    do {
      guard case .text(let text) = message else {
        throw ServerError(.badRequest, "The first message is not start: send it before frames.")
      }
      start = try ClientMessage(text)
    } catch {
      Self.refuse(socket, "badRequest", "\(error)", closing: 1008)
      return nil
    }
    guard case .start(let source, let settings, let key) = start else {
      Self.refuse(
        socket, "badRequest", "The first message is not start: send it before all others.",
        closing: 1008)
      return nil
    }
    let place: Place
    do {
      place = try admit(socket, taking: key)
    } catch {
      context.metrics.update { $0.refusalCount += 1 }
      Self.refuse(socket, "busy", "\(error)", closing: 1013)
      return nil
    }
    let session = place.session
    if place.isNew {
      await session.begin(source: source, settings: settings)
    } else {
      await session.resume(source: source, settings: settings)
    }
    await place.evicted?.end()
    return (session, place.connection)
  }

  // MARK: - Places

  private struct Place {
    var session: LiveSession
    var connection: Int
    var isNew: Bool
    /// A session that is dropped to make room.
    var evicted: LiveSession?
  }

  /// Assigns a connection to the session it resumes, or to a new one; throws ``ServerError``
  /// without a free place, or if the present sessions would receive too few frames.
  private func admit(_ socket: any WebSocket, taking key: String?) throws -> Place {
    let load = context.pool.load
    return try places.withLock { places in
      let count = places.takenCount
      let known = key.flatMap { places.sessions[$0] }
      // A session with a place keeps it, even before the server notices that its connection broke.
      let hasPlace = known?.connection.isAttached == true
      guard !places.isEnding, hasPlace || count < configuration.maximumSessionCount else {
        throw ServerError(
          .busy, "All \(configuration.maximumSessionCount) places are taken: try again later.")
      }
      if let known, let connection = known.attach(socket) {
        return Place(session: known, connection: connection, isNew: false)
      }
      try check(load, sessionCount: count)
      let session = LiveSession(context) { [weak self] in self?.sessionCount ?? 0 }
      guard let connection = session.attach(socket) else {
        throw ServerError(.busy, "The session cannot begin: try again later.")
      }
      places.sessions[session.key] = session
      var place = Place(session: session, connection: connection, isNew: true)
      if places.sessions.count > 2 * configuration.maximumSessionCount {
        // Disconnected sessions remain while there is room.
        place.evicted = places.sessions.values.filter { !$0.connection.isAttached }
          .min { $0.connection.detachedAt ?? .infinity < $1.connection.detachedAt ?? .infinity }
        if let key = place.evicted?.key { places.sessions[key] = nil }
      }
      return place
    }
  }

  /// Refuses a session that would leave the present ones too few frames a second.
  private func check(_ load: PosePool.Load, sessionCount: Int) throws {
    guard sessionCount > 0, let seconds = load.secondsPerFrame else { return }
    let needed = Double(sessionCount + 1) * configuration.leastFrameRate * seconds
    guard needed <= Double(load.workerCount) else {
      throw ServerError(
        .busy, "The server is at its limit (sessions: \(sessionCount)): try again later.")
    }
  }

  private func expire(_ session: LiveSession) {
    let time = configuration.resumeTime
    guard let detachedAt = session.connection.detachedAt else { return }
    Task { [weak self] in
      try? await Task.sleep(for: .seconds(time))
      guard session.connection.detachedAt == detachedAt, let self else { return }
      let isOurs = self.places.withLock { $0.sessions.removeValue(forKey: session.key) != nil }
      if isOurs { await session.end() }
    }
  }

  private static func refuse(
    _ socket: any WebSocket, _ code: String, _ message: String, closing closeCode: UInt16
  ) {
    socket.send(ErrorMessage(code: code, message: message, isFatal: true).webSocketMessage)
    socket.close(code: closeCode, reason: code)
  }

  /// The sessions that can be resumed or have a connection.
  var sessions: [LiveSession] { places.withLock { Array($0.sessions.values) } }

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
