import Dispatch
import KinemaStreams
import Synchronization

/// What the connections of a server share: its settings, its connections, and what is under way.
final class ServerCore: Sendable {
  let limits: WebServer.Limits
  let policy: AccessPolicy
  let application: any WebApplication
  let tls: TLSContext?

  /// An admitted connection.
  private struct Client {
    let stream: ClientStream
    let address: String
    /// Since when it waits for a request; `nil` while one is answered, or a WebSocket is open.
    var idleSince: Double?
    /// Whether it has made a request with the token, where there is one.
    var isTrusted = false
  }

  private struct State {
    var limiter: ConnectionLimiter
    var clients: [ObjectIdentifier: Client] = [:]
    var webSockets: [ObjectIdentifier: (socket: ClientSocket, task: Task<Void, Never>)] = [:]
    var taskCount = 0
    var bodyBytes = 0
    var isStopping = false
  }

  private let state: Mutex<State>

  init(
    limits: WebServer.Limits, policy: AccessPolicy, application: any WebApplication,
    tls: TLSContext?
  ) {
    self.limits = limits
    self.policy = policy
    self.application = application
    self.tls = tls
    state = Mutex(State(limiter: ConnectionLimiter(limits: limits)))
  }

  var connectionCount: Int { state.withLock { $0.clients.count } }
  /// How many calls of the application are under way.
  var taskCount: Int { state.withLock { $0.taskCount } }
  /// Whether the server stops: what is under way is finished, nothing new is begun.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  // MARK: Connections

  /// Whether an address may have another connection; where it is crowded, one that waits for a
  /// request gives way.
  func admits(_ address: String) -> Bool {
    let evicted: ClientStream?? = state.withLock { state in
      let crowd: Client?
      let hasTokenHolder =
        policy.token != nil
        && state.clients.values.contains { $0.isTrusted && $0.address == address }
      switch state.limiter.admission(
        of: address, hasTokenHolder: hasTokenHolder, at: SteadyClock.reading())
      {
      case .admitted: return .some(nil)
      case .tooFast: return nil
      case .isCrowded(let isOfAddress):
        crowd = Self.first(
          toLeave: state.clients.values.filter { !isOfAddress || $0.address == address },
          state.limiter)
      }
      guard let crowd else { return nil }
      state.clients[ObjectIdentifier(crowd.stream)] = nil
      state.limiter.leave(crowd.address)
      return crowd.stream
    }
    guard let evicted else { return false }
    evicted?.shutDown()
    return true
  }

  /// The idle client that leaves first: one without the token, that has not said anything, of the
  /// address with most connections, that has waited longest.
  private static func first(toLeave clients: [Client], _ limiter: ConnectionLimiter) -> Client? {
    let ranked = clients.compactMap { client in
      client.idleSince.map {
        (
          client,
          (
            client.isTrusted ? 2 : client.stream.isSilent ? 0 : 1,
            -limiter.connectionCount(of: client.address), $0
          )
        )
      }
    }
    return ranked.min { $0.1 < $1.1 }?.0
  }

  /// Whether an address may make another request now.
  func allowsRequest(from address: String, of visitor: ConnectionLimiter.Visitor) -> Bool {
    state.withLock {
      $0.limiter.allowsRequest(address, of: visitor, at: SteadyClock.reading())
    }
  }

  /// Counts an admitted connection until ``remove(_:)``, or until it gives way.
  func add(_ stream: ClientStream, from address: String) {
    state.withLock { state in
      state.limiter.enter(address)
      state.clients[ObjectIdentifier(stream)] = Client(
        stream: stream, address: address, idleSince: SteadyClock.reading())
    }
  }

  func remove(_ stream: ClientStream) {
    state.withLock { state in
      guard let client = state.clients.removeValue(forKey: ObjectIdentifier(stream)) else { return }
      state.limiter.leave(client.address)
    }
  }

  /// Notes that a connection answers a request, and does not give way.
  func begin(_ stream: ClientStream, isTrusted: Bool) {
    state.withLock { state in
      state.clients[ObjectIdentifier(stream)]?.idleSince = nil
      if isTrusted { state.clients[ObjectIdentifier(stream)]?.isTrusted = true }
    }
  }

  /// Notes that a connection waits for a request, or for its end.
  func rest(_ stream: ClientStream) {
    state.withLock { $0.clients[ObjectIdentifier(stream)]?.idleSince = SteadyClock.reading() }
  }

  /// Whether there is room for another body, where `limit` is the most that it may have.
  ///
  /// Counted until ``release(bodyBytes:)``.
  func reserve(bodyBytes count: Int, limit: Int) -> Bool {
    state.withLock { state in
      guard state.bodyBytes + count <= max(limits.bodyBytes, limit) else { return false }
      state.bodyBytes += count
      return true
    }
  }

  func release(bodyBytes count: Int) { state.withLock { $0.bodyBytes -= count } }

  // MARK: The application

  private final class Result<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  /// Calls the application and waits for it; on a connection's thread.
  ///
  /// What the application does may block: it has a thread to itself.
  func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
    let result = Result<Value>()
    state.withLock { $0.taskCount += 1 }
    Task(executorPreference: BlockingTasks.threads) { [self] in
      let value = await work()
      result.value.withLock { $0 = value }
      state.withLock { $0.taskCount -= 1 }
      result.isThere.signal()
    }
    while true {
      result.isThere.wait()
      if let value = result.value.withLock({ $0 }) { return value }
    }
  }

  /// Has the application serve a WebSocket, which is closed when that is done.
  func serve(_ socket: ClientSocket, request: HTTPRequest) {
    let id = ObjectIdentifier(socket)
    let isStopping = state.withLock { state in
      state.taskCount += 1
      let task = Task {
        await application.serve(socket, request: request)
        socket.close(code: 1000, reason: "")
        self.state.withLock { state in
          state.taskCount -= 1
          state.webSockets[id] = nil
        }
      }
      state.webSockets[id] = (socket, task)
      return state.isStopping
    }
    if isStopping { stop() }
  }

  // MARK: Stopping

  /// Closes the WebSockets and cancels the tasks that serve them; nothing new is begun.
  func stop() {
    let open = state.withLock { state in
      state.isStopping = true
      return Array(state.webSockets.values)
    }
    for (socket, task) in open {
      socket.close(code: 1001, reason: "The server ends.")
      task.cancel()
    }
  }

  /// Breaks off the remaining connections.
  func shutDown() {
    for stream in state.withLock({ $0.clients.values.map(\.stream) }) { stream.shutDown() }
  }
}
