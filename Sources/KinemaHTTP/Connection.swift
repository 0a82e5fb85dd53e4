import Foundation
import Glibc

/// A client's connection, from its first request to its end; it may become a WebSocket.
///
/// ``run()`` blocks: each connection has a thread of its own. Whatever a client does or leaves undone,
/// every wait has its end.
final class Connection {
  /// Why no further request is read.
  private enum End: Error {
    /// This is sent, to the request where it could be read; then the connection is closed.
    case response(HTTPResponse, to: RequestHead?)
    /// The client has gone, or has used up its time.
    case gone

    static func failure(
      _ status: Int, _ code: String, _ text: MessageText, to head: RequestHead? = nil
    ) -> End {
      .response(.failure(status, code: code, text), to: head)
    }
  }

  private let stream: ClientStream
  private let address: String
  private let core: ServerCore
  private var limits: WebServer.Limits { core.limits }
  /// What was read and not yet used.
  private var input: [UInt8] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  init(stream: ClientStream, address: String, core: ServerCore) {
    self.stream = stream
    self.address = address
    self.core = core
  }

  deinit { buffer.deallocate() }

  func run() {
    do throws(End) {
      var idleTimeout = limits.headTimeout
      while try answer(try readHead(idleTimeout: idleTimeout)) {
        core.rest(stream)
        idleTimeout = limits.keepAliveTimeout
      }
    } catch {
      guard case .response(let response, let head) = error,
        (try? send(response, to: head, keepsAlive: false)) != nil
      else { return }
    }
    linger()
  }

  // MARK: Requests

  private func readHead(idleTimeout: Double) throws(End) -> RequestHead {
    var hasBegun = !input.isEmpty
    var deadline = stream.now() + (hasBegun ? limits.headTimeout : idleTimeout)
    var searched = 0
    while true {
      var start = 0
      while input[start...].starts(with: [13, 10]) { start += 2 }
      input.removeFirst(start)
      if let end = endOfHead(from: searched) {
        defer { input.removeFirst(end + 4) }
        do throws(RequestHead.Malformed) {
          return try RequestHead(input[..<end])
        } catch {
          var response = HTTPResponse.failure(error.status, code: error.code, error.text)
          if error.status == 405 {
            response.headers["allow"] = RequestHead.methods.sorted().joined(separator: ", ")
          }
          throw End.response(response, to: nil)
        }
      }
      guard input.count < limits.headBytes else {
        throw .failure(
          431, "headersTooLarge", MessageText("largeHead", ["limit": limits.headBytes]))
      }
      searched = max(0, input.count - 3)
      guard let bytes = try receive(until: deadline) else {
        guard !input.isEmpty else { throw .gone }
        throw .failure(408, "tooSlow", MessageText("tooSlow"))
      }
      if !hasBegun { deadline = stream.now() + limits.headTimeout }
      hasBegun = true
      input.append(contentsOf: bytes)
    }
  }

  /// Where the empty line begins, within what a head may have.
  private func endOfHead(from start: Int) -> Int? {
    let last = min(input.count, limits.headBytes) - 4
    guard start <= last else { return nil }
    return (start...last).first { input[$0...].starts(with: [13, 10, 13, 10]) }
  }

  /// - Returns: Whether another request may follow.
  private func answer(_ head: RequestHead) throws(End) -> Bool {
    let holdsToken = core.policy.holdsToken(head)
    let isTrusted = holdsToken || core.policy.token == nil
    let visitor: ConnectionLimiter.Visitor =
      head.target.path == "/healthz" && !holdsToken
      ? .healthCheck : isTrusted ? .tokenHolder : .stranger
    guard core.allowsRequest(from: address, of: visitor) else {
      throw .failure(429, "tooManyRequests", MessageText("tooManyRequests"))
    }
    if let response = core.policy.answer(to: head) {
      let keepsAlive = head.keepsAlive && head.contentLength == 0 && response.status < 400
      return try send(response, to: head, keepsAlive: keepsAlive)
    }
    core.begin(stream, isTrusted: isTrusted)
    if head.isUpgrade {
      try serveWebSocket(head)
      return false
    }
    let body = try readBody(of: head)
    let request = request(head, body: body ?? Data())
    let response = core.wait { [core] in await core.application.response(to: request) }
    return try send(
      response, to: head, keepsAlive: head.keepsAlive && body != nil && !core.isStopping)
  }

  /// - Returns: `nil` where the application refuses the request whatever its body.
  private func readBody(of head: RequestHead) throws(End) -> Data? {
    let count = head.contentLength
    guard count > 0 else { return Data() }
    guard let limit = core.application.bodyLimit(for: head.method, path: head.target.path) else {
      return nil
    }
    guard count <= limit else {
      throw .failure(413, "tooLarge", MessageText("tooLarge", ["limit": limit]), to: head)
    }
    guard core.reserve(bodyBytes: count, limit: limit) else {
      throw .failure(503, "busy", MessageText("tooMuchSent"), to: head)
    }
    defer { core.release(bodyBytes: count) }
    if head.list("expect").contains("100-continue"), input.isEmpty {
      try write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    let deadline = stream.now() + limits.headTimeout + Double(count) / limits.bodyBytesPerSecond
    var body = Data(input.prefix(count))
    input.removeFirst(body.count)
    while body.count < count {
      guard let bytes = try receive(until: deadline) else {
        throw .failure(408, "tooSlow", MessageText("tooSlow"))
      }
      let rest = count - body.count
      body.append(contentsOf: bytes.prefix(rest))
      input.append(contentsOf: bytes.dropFirst(rest))
    }
    return body
  }

  private func request(_ head: RequestHead, body: Data = Data()) -> HTTPRequest {
    var query = head.target.query
    query["token"] = nil
    return HTTPRequest(
      method: head.method == "HEAD" ? "GET" : head.method, path: head.target.path, query: query,
      headers: head.headers, body: body)
  }

  private func serveWebSocket(_ head: RequestHead) throws(End) {
    let request = request(head)
    let subprotocol = core.application.webSocketSubprotocol
    let refusal =
      WebSocketHandshake.refusal(of: head, subprotocol: subprotocol)
      ?? core.wait { [core] in await core.application.refusal(ofWebSocketAt: request) }
    if let refusal { throw .response(refusal, to: head) }
    try write(WebSocketHandshake.acceptance(of: head, subprotocol: subprotocol))
    let socket = ClientSocket(limits: limits)
    core.serve(socket, request: request)
    defer { socket.drop() }
    let session = WebSocketSession(socket: socket, stream: stream, limits: limits)
    guard session.run(early: input, buffer: buffer) else { throw .gone }
  }

  // MARK: Bytes

  /// Waits for what the client sends; `nil` where the time is over.
  private func receive(until deadline: Double) throws(End) -> UnsafeRawBufferPointer? {
    while !core.isStopping {
      if stream.now() > deadline { return nil }
      switch stream.read(into: buffer) {
      case .moved(let count): return UnsafeRawBufferPointer(rebasing: buffer[..<count])
      case .ended: throw .gone
      case .needs(let event):
        guard stream.wait(for: event, until: deadline) else { throw .gone }
      }
    }
    throw .gone
  }

  /// - Returns: Whether the connection stays open.
  private func send(
    _ response: HTTPResponse, to head: RequestHead?, keepsAlive: Bool
  ) throws(End) -> Bool {
    let prepared = PreparedResponse(response, to: head, keepsAlive: keepsAlive)
    try write(prepared.head)
    switch prepared.body {
    case .data(let data): try write(data)
    case .file(let file, var range):
      while !range.isEmpty {
        // A file that has become shorter than was promised breaks the connection off.
        guard let data = file.read(range.prefix(buffer.count)) else { throw .gone }
        try write(data)
        range = range.dropFirst(data.count)
      }
    case .stream(let parts): try send(parts)
    }
    return prepared.keepsAlive
  }

  /// Sends parts as they come, until their end or the client's.
  private func send(_ parts: ResponseStream) throws(End) {
    var quietUntil = stream.now() + limits.pingInterval
    while !core.isStopping, let data = parts.take() {
      if !data.isEmpty || stream.now() > quietUntil {
        try write(data.isEmpty ? parts.pulse : data)
        quietUntil = stream.now() + limits.pingInterval
      }
      // Nothing may follow the request: only the client's end is of interest.
      guard case .needs(let event) = stream.read(into: buffer),
        stream.wait(for: event, until: quietUntil, or: parts.bell)
      else { throw .gone }
    }
  }

  private func write(_ data: Data) throws(End) {
    var rest = data[...]
    var deadline = stream.now() + limits.silenceTimeout
    while !rest.isEmpty {
      switch rest.withUnsafeBytes({ stream.write($0) }) {
      case .moved(let count):
        rest = rest.dropFirst(count)
        deadline = stream.now() + limits.silenceTimeout
      case .ended: throw .gone
      case .needs(let event):
        guard stream.now() <= deadline, stream.wait(for: event, until: deadline) else {
          throw .gone
        }
      }
    }
  }

  /// Ends what is sent, and reads what the client still sends for a moment: it might never see the
  /// answer otherwise.
  private func linger() {
    core.rest(stream)
    stream.finishWriting()
    let deadline = stream.now() + limits.closeTimeout
    while stream.now() <= deadline {
      switch stream.read(into: buffer) {
      case .moved: continue
      case .ended: return
      case .needs(let event):
        guard stream.wait(for: event, until: deadline) else { return }
      }
    }
  }
}
