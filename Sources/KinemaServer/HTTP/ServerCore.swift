import Dispatch
import Synchronization

/// What the connections of a server share: its settings, its connections, and what is under way.
final class ServerCore: Sendable {
  let limits: WebServer.Limits
  let policy: AccessPolicy
  let application: any WebApplication
  let tls: TLSContext?

  private struct State {
    var doorkeeper: Doorkeeper
    var streams: [ObjectIdentifier: ClientStream] = [:]
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
    state = Mutex(State(doorkeeper: Doorkeeper(limits: limits)))
  }

  var connectionCount: Int { state.withLock { $0.streams.count } }
  /// How many calls of the application are under way.
  var taskCount: Int { state.withLock { $0.taskCount } }
  /// Whether the server stops: what is under way is finished, nothing new is begun.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  // MARK: Connections

  /// Whether an address may have another connection; counted until ``remove(_:from:)``.
  func admits(_ address: String) -> Bool {
    state.withLock { $0.doorkeeper.admits(address, at: SteadyClock.reading()) }
  }

  /// Whether an address may make another request now.
  func allowsRequest(from address: String) -> Bool {
    state.withLock { $0.doorkeeper.allowsRequest(address, at: SteadyClock.reading()) }
  }

  func add(_ stream: ClientStream) {
    state.withLock { $0.streams[ObjectIdentifier(stream)] = stream }
  }

  /// Forgets an admitted connection, whether or not it came to have a stream.
  func remove(_ stream: ClientStream?, from address: String) {
    state.withLock { state in
      if let stream { state.streams[ObjectIdentifier(stream)] = nil }
      state.doorkeeper.leave(address)
    }
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
  func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
    let result = Result<Value>()
    state.withLock { $0.taskCount += 1 }
    Task {
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
    for stream in state.withLock({ Array($0.streams.values) }) { stream.shutDown() }
  }
}
