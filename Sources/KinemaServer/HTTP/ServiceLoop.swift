import CWebSockets
import Foundation
import Glibc
import Synchronization

/// The thread that all sockets live on: libwebsockets' event loop, TLS and timers.
///
/// Of libwebsockets the server uses sockets in the role `raw-skt`, its TLS, and its poll loop. HTTP and
/// WebSocket framing are read by the server's own state machines (``Connection``): they are memory-safe
/// on whatever a client sends, answer with the right status, and may ask the application before they
/// accept a WebSocket, none of which the library's own roles allow.
///
/// Everything but ``post(_:)`` and ``connectionCount`` belongs to the service thread.
final class ServiceLoop: Connection.Host, @unchecked Sendable {
  /// What other threads ask of the service thread.
  enum Request: Sendable {
    case answer(UInt64, HTTPResponse)
    case open(UInt64, refusal: HTTPResponse?)
    case need(UInt64, ClientSocket.Need)
    case stop
  }

  private struct Mailbox {
    var requests: [Request] = []
    /// The library's context, as long as it may be woken.
    var context: OpaquePointer?
  }

  private struct Tasks {
    var count = 0
    var serving: [UInt64: Task<Void, Never>] = [:]
  }

  /// How long answers under way may take once the server ends, in seconds.
  static let stopTimeout = 2.0
  private static let bufferSize = 64 << 10

  let limits: WebServer.Limits
  let policy: AccessPolicy
  let application: any WebApplication
  private(set) var isStopping = false
  private let mailbox = Mutex(Mailbox())
  private let tasks = Mutex(Tasks())
  private let count = Atomic<Int>(0)
  private let library: LibraryContext
  private var links: [UInt64: SocketLink] = [:]
  private var doorkeeper: Doorkeeper
  private var nextID: UInt64 = 0
  private var clock = 0.0
  private var lastReading: Double?
  private var stopDeadline = Double.infinity
  private var listeners: [OpaquePointer]
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ServiceLoop.bufferSize, alignment: 16)

  /// Makes the loop, with sockets that listen already; it serves once ``run()`` is called.
  init(
    listening descriptors: [Int32], certificate: CertificateFiles?, limits: WebServer.Limits,
    policy: AccessPolicy, application: any WebApplication
  ) throws(ServerError) {
    self.limits = limits
    self.policy = policy
    self.application = application
    doorkeeper = Doorkeeper(limits: limits)
    library = try LibraryContext(certificate: certificate, bufferSize: Self.bufferSize)
    listeners = descriptors.compactMap { [library] in library.watch($0) }
    library.startTicking(everyMilliseconds: 250)
    library.owner = self
    mailbox.withLock { $0.context = library.context }
  }

  deinit {
    library.destroy()
    buffer.deallocate()
  }

  /// How many connections there are; from any thread.
  var connectionCount: Int { count.load(ordering: .relaxed) }
  /// How many calls of the application are under way; from any thread.
  var taskCount: Int { tasks.withLock { $0.count } }
  var bodyBytes: Int { links.values.reduce(0) { $0 + $1.connection.bodyBytes } }

  /// A steady clock, in seconds, that clients are held to.
  ///
  /// It is read four times a second and more: a longer step means that the thread itself did not get
  /// to run, which no client is to suffer for.
  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let reading = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    clock += min(reading - (lastReading ?? reading), 0.5)
    lastReading = reading
    return clock
  }

  /// Asks something of the service thread; from any thread.
  func post(_ request: Request) {
    mailbox.withLock { mailbox in
      mailbox.requests.append(request)
      // The one call that the library allows from other threads.
      if let context = mailbox.context { lws_cancel_service(context) }
    }
  }

  /// Serves until ``Request/stop``; called on a thread of its own.
  func run() {
    while true {
      for request in takeRequests() { handle(request, at: now()) }
      if isStopping, links.isEmpty || now() > stopDeadline { break }
      guard lws_service(library.context, 0) >= 0 else { break }
    }
    for link in links.values { link.connection.drop() }
    mailbox.withLock { $0.context = nil }
    library.destroy()
    cancelServing()
  }

  private func takeRequests() -> [Request] {
    mailbox.withLock { mailbox in
      defer { mailbox.requests = [] }
      return mailbox.requests
    }
  }

  private func handle(_ request: Request, at now: Double) {
    switch request {
    case .answer(let id, let response): links[id]?.connection.answer(response, at: now)
    case .open(let id, let refusal): links[id]?.connection.open(refusal: refusal, at: now)
    case .need(let id, .write): links[id]?.connection.askToWrite(at: now)
    case .need(let id, .read):
      guard let connection = links[id]?.connection, case .webSocket(let session) = connection.phase
      else { return }
      session.resumeReading(at: now)
      connection.afterWebSocket(session, at: now)
    case .stop: beginStop(at: now)
    }
  }

  private func beginStop(at now: Double) {
    guard !isStopping else { return }
    isStopping = true
    stopDeadline = now + Self.stopTimeout
    for listener in listeners { library.close(listener) }
    listeners = []
    for link in links.values { link.connection.stop(at: now) }
    cancelServing()
  }

  private func cancelServing() {
    for task in tasks.withLock({ $0.serving.values }) { task.cancel() }
  }

  // MARK: What the library reports

  /// Clients wait at a listening socket.
  func acceptClients(at listener: OpaquePointer) {
    let descriptor = lws_get_socket_fd(listener)
    for _ in 0..<64 {
      guard let client = AcceptedClient(from: descriptor) else {
        // Without descriptors left nobody can be accepted, nor turned away: look again at the next tick.
        if errno == EMFILE || errno == ENFILE { lws_rx_flow_control(listener, 0) }
        return
      }
      let now = now()
      if doorkeeper.enter(client.address, at: now) != nil {
        client.turnAway(isSecure: library.isSecure)
        continue
      }
      client.prepare(timeout: limits.silenceTimeout)
      nextID += 1
      let connection = Connection(id: nextID, address: client.address, host: self, at: now)
      let link = SocketLink(connection: connection)
      guard library.adopt(client.descriptor, for: link) else {
        doorkeeper.leave(client.address)
        continue
      }
      links[connection.id] = link
      count.store(links.count, ordering: .relaxed)
    }
  }

  /// A client has sent something.
  func received(_ bytes: UnsafeRawBufferPointer, on link: SocketLink) {
    link.connection.receive(bytes, at: now())
  }

  /// A client can be written to, and the library holds nothing back for it.
  func isWritable(_ link: SocketLink) {
    link.isFull = false
    let count = link.connection.fill(buffer, at: now())
    if count > 0 { link.write(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) }
  }

  /// A client's socket is closed.
  func isClosed(_ link: SocketLink) {
    link.socket = nil
    link.connection.end()
    guard links.removeValue(forKey: link.connection.id) != nil else { return }
    doorkeeper.leave(link.connection.address)
    count.store(links.count, ordering: .relaxed)
  }

  /// A quarter of a second has passed.
  func tick() {
    let now = now()
    for link in Array(links.values) { link.connection.tick(at: now) }
    for listener in listeners { lws_rx_flow_control(listener, 1) }
  }

  // MARK: What connections ask

  func allowsRequest(from connection: Connection) -> Bool {
    doorkeeper.allowsRequest(connection.address, at: now())
  }

  func answer(_ request: HTTPRequest, for connection: Connection) {
    let id = connection.id
    begin { [application] in .answer(id, await application.response(to: request)) }
  }

  func decide(on request: HTTPRequest, for connection: Connection) {
    let id = connection.id
    begin { [application] in
      .open(id, refusal: await application.refusal(ofWebSocketAt: request))
    }
  }

  private func begin(_ work: @escaping @Sendable () async -> Request) {
    tasks.withLock { $0.count += 1 }
    Task {
      post(await work())
      tasks.withLock { $0.count -= 1 }
    }
  }

  func serve(_ request: HTTPRequest, for connection: Connection) -> ClientSocket {
    let id = connection.id
    let socket = ClientSocket(limits: limits) { [weak self] need in self?.post(.need(id, need)) }
    tasks.withLock { tasks in
      tasks.count += 1
      tasks.serving[id] = Task { [application] in
        await application.serve(socket, request: request)
        socket.close(code: 1000, reason: "")
        self.tasks.withLock { tasks in
          tasks.count -= 1
          tasks.serving[id] = nil
        }
      }
    }
    return socket
  }
}
