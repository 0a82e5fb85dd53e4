import Foundation

/// A client's connection: reads requests, has them answered, and may become a WebSocket.
///
/// Belongs to the service thread. Knows no socket: bytes come in through ``receive(_:)`` and go out
/// through ``fill(_:)``; what it wants of its ``transport`` it asks for there.
final class Connection {
  /// What a connection asks of what carries it.
  protocol Transport: AnyObject {
    /// ``fill(_:)`` is to be called when the client can be written to.
    func askToWrite()
    /// Whether bytes are read at all.
    func setReading(_ isReading: Bool)
    /// No more will be sent; what the client still sends is read.
    func finishWriting()
    /// Breaks the connection off.
    func drop()
  }

  /// What a connection asks of the server.
  protocol Host: AnyObject {
    var limits: WebServer.Limits { get }
    var policy: AccessPolicy { get }
    var application: any WebApplication { get }
    var isStopping: Bool { get }
    /// The bytes of all bodies that are being read.
    var bodyBytes: Int { get }
    /// Whether the client's address may make another request now.
    func allowsRequest(from connection: Connection) -> Bool
    /// Has a request answered; ``answer(_:)`` is called with the result.
    func answer(_ request: HTTPRequest, for connection: Connection)
    /// Asks the application about a WebSocket; ``open(_:request:)`` is called with the result.
    func decide(on request: HTTPRequest, for connection: Connection)
    /// Serves a WebSocket that was opened.
    func serve(_ request: HTTPRequest, for connection: Connection) -> ClientSocket
  }

  enum Phase {
    /// Waits for a request, or reads its head.
    case head
    /// Reads a request's body.
    case body(RequestHead)
    /// The application works.
    case answering(RequestHead)
    /// The application is asked about a WebSocket.
    case deciding(RequestHead)
    /// An answer is being sent.
    case sending(keepsAlive: Bool)
    /// Is a WebSocket.
    case webSocket(WebSocketSession)
    /// Sends what is left; what comes is thrown away.
    case closing
    /// Has sent everything; waits for the client to close.
    case lingering
    case ended
  }

  let id: UInt64
  let address: String
  unowned let host: any Host
  weak var transport: (any Transport)?
  var phase = Phase.head
  var input: [UInt8] = []
  /// How much of the input has been searched for the end of a head.
  var searched = 0
  var output = OutputQueue()
  /// When the phase must be over.
  var deadline: Double?
  /// Since when the client has not taken what waits for it.
  var waitingToWriteSince: Double?

  /// A connection from an address, at a moment of the steady clock.
  init(id: UInt64, address: String, host: any Host, at now: Double) {
    self.id = id
    self.address = address
    self.host = host
    deadline = now + host.limits.headTimeout
  }

  /// The length of the body that is being read.
  var bodyBytes: Int {
    if case .body(let head) = phase { head.contentLength } else { 0 }
  }

  /// Takes what the client sent.
  func receive(_ bytes: UnsafeRawBufferPointer, at now: Double) {
    switch phase {
    case .closing, .lingering, .ended: return
    case .webSocket(let session):
      session.receive(bytes, at: now)
      afterWebSocket(session, at: now)
    default:
      if case .head = phase, input.isEmpty { deadline = now + host.limits.headTimeout }
      input.append(contentsOf: bytes)
      proceed(at: now)
    }
  }

  /// Moves what is to be sent into a buffer.
  ///
  /// - Returns: How many bytes; 0 where everything was sent.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at now: Double) -> Int {
    waitingToWriteSince = nil
    guard var count = output.fill(buffer) else {
      drop()
      return 0
    }
    if case .webSocket(let session) = phase {
      while count < buffer.count, let frame = session.nextFrame(at: now) {
        output.append(frame)
        count += output.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[count...])) ?? 0
      }
    }
    if count > 0 {
      askToWrite(at: now)
    } else {
      wasSent(at: now)
    }
    return count
  }

  /// Everything that was to be sent has been.
  private func wasSent(at now: Double) {
    switch phase {
    case .sending(keepsAlive: true) where !host.isStopping:
      phase = .head
      deadline = now + (input.isEmpty ? host.limits.keepAliveTimeout : host.limits.headTimeout)
      transport?.setReading(true)
      proceed(at: now)
    case .sending, .closing:
      phase = .lingering
      deadline = now + host.limits.closeTimeout
      transport?.setReading(true)
      transport?.finishWriting()
    case .webSocket(let session): afterWebSocket(session, at: now)
    default: break
    }
  }

  /// Looks at the clock.
  func tick(at now: Double) {
    if let since = waitingToWriteSince {
      var patience = host.limits.silenceTimeout
      if case .webSocket(let session) = phase, session.isClosing {
        patience = host.limits.closeTimeout
      }
      guard now - since <= patience else { return drop() }
    }
    if case .webSocket(let session) = phase {
      session.tick(at: now)
      afterWebSocket(session, at: now)
    }
    guard let deadline, now > deadline else { return }
    switch phase {
    case .body:
      refuse(408, code: "tooSlow", "The request's body took too long to come.", at: now)
    case .head where !input.isEmpty:
      refuse(408, code: "tooSlow", "The request's head took too long to come.", at: now)
    default: drop()
    }
  }

  /// The server ends: what is under way is finished, nothing new is begun.
  func stop(at now: Double) {
    switch phase {
    case .head, .body: drop()
    case .webSocket(let session): session.close(code: 1001, reason: "The server ends.")
    default: break
    }
  }

  /// The connection is gone.
  func end() {
    if case .webSocket(let session) = phase { session.end() }
    phase = .ended
    deadline = nil
    waitingToWriteSince = nil
  }

  func drop() {
    end()
    transport?.drop()
  }

  func askToWrite(at now: Double) {
    if waitingToWriteSince == nil { waitingToWriteSince = now }
    transport?.askToWrite()
  }

  /// Follows what a WebSocket has come to.
  func afterWebSocket(_ session: WebSocketSession, at now: Double) {
    guard case .webSocket = phase else { return }
    if session.isBroken { return drop() }
    transport?.setReading(session.isReading)
    if session.isFinished {
      phase = .closing
      deadline = now + host.limits.closeTimeout
      session.takeLastFrames().forEach { output.append($0) }
      session.end()
      askToWrite(at: now)
    } else if session.wantsToWrite {
      askToWrite(at: now)
    }
  }
}
