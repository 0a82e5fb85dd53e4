import Foundation

extension Connection {
  /// Goes on with what was read, as far as it reaches.
  func proceed(at now: Double) {
    while true {
      switch phase {
      case .head:
        guard let end = endOfHead(at: now) else { return }
        let bytes = input[..<end]
        do throws(RequestHead.Malformed) {
          let head = try RequestHead(bytes)
          input.removeFirst(end + 4)
          searched = 0
          begin(head, at: now)
        } catch {
          refuse(error.status, code: error.code, error.message, at: now)
        }
      case .body(let head):
        guard input.count >= head.contentLength else { return }
        let body = Data(input.prefix(head.contentLength))
        input.removeFirst(head.contentLength)
        dispatch(head, body: body)
      default: return
      }
    }
  }

  /// Where the empty line begins; `nil` where it has not come yet, or where too much came without it.
  private func endOfHead(at now: Double) -> Int? {
    while input.starts(with: [13, 10]) {
      input.removeFirst(2)
      searched = 0
    }
    var index = max(0, searched - 3)
    searched = input.count
    let last = min(input.count, host.limits.headBytes) - 4
    while index <= last {
      if input[index] == 13, input[index + 1] == 10, input[index + 2] == 13, input[index + 3] == 10
      {
        return index
      }
      index += 1
    }
    if input.count >= host.limits.headBytes {
      refuse(
        431, code: "headersTooLarge",
        "The request's head may have \(host.limits.headBytes) bytes at most.", at: now)
    }
    return nil
  }

  private func begin(_ head: RequestHead, at now: Double) {
    deadline = nil
    guard host.allowsRequest(from: self) else {
      return refuse(429, code: "tooManyRequests", "Too many requests: wait a moment.", at: now)
    }
    if let answer = host.policy.answer(to: head) {
      return send(
        answer, to: head, closing: head.contentLength > 0 || answer.status >= 400, at: now)
    }
    if head.isUpgrade {
      if let refusal = WebSocketHandshake.refusal(of: head) {
        return send(refusal, to: head, closing: true, at: now)
      }
      phase = .deciding(head)
      transport?.setReading(false)
      return host.decide(on: request(head), for: self)
    }
    guard head.contentLength > 0 else { return dispatch(head, body: Data()) }
    let limit = host.application.bodyLimit(for: head.method, path: head.target.path)
    guard head.contentLength <= limit else {
      let failure = HTTPResponse.failure(
        413, code: "tooLarge", "The request's body may have \(limit) bytes at most.")
      return send(failure, to: head, closing: true, at: now)
    }
    guard host.bodyBytes + head.contentLength <= max(host.limits.bodyBytes, limit) else {
      let failure = HTTPResponse.failure(
        503, code: "busy", "Too much is being sent at once: try again in a moment.")
      return send(failure, to: head, closing: true, at: now)
    }
    phase = .body(head)
    deadline =
      now + host.limits.headTimeout + Double(head.contentLength) / host.limits.bodyBytesPerSecond
    if head.list("expect").contains("100-continue"), input.count < head.contentLength {
      output.append(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      askToWrite(at: now)
    }
  }

  private func dispatch(_ head: RequestHead, body: Data) {
    deadline = nil
    phase = .answering(head)
    transport?.setReading(false)
    host.answer(request(head, body: body), for: self)
  }

  private func request(_ head: RequestHead, body: Data = Data()) -> HTTPRequest {
    var query = head.target.query
    query["token"] = nil
    return HTTPRequest(
      method: head.method == "HEAD" ? "GET" : head.method, path: head.target.path, query: query,
      headers: head.headers, body: body)
  }

  /// The application has answered.
  func answer(_ response: HTTPResponse, at now: Double) {
    guard case .answering(let head) = phase else { return }
    send(response, to: head, closing: !head.keepsAlive || host.isStopping, at: now)
  }

  /// The application has decided on a WebSocket.
  func open(refusal: HTTPResponse?, at now: Double) {
    guard case .deciding(let head) = phase else { return }
    if let refusal { return send(refusal, to: head, closing: true, at: now) }
    output.append(WebSocketHandshake.acceptance(of: head))
    let socket = host.serve(request(head), for: self)
    let session = WebSocketSession(socket: socket, limits: host.limits, at: now)
    phase = .webSocket(session)
    askToWrite(at: now)
    // What came behind the request already belongs to the WebSocket.
    let rest = input
    input = []
    if host.isStopping { session.close(code: 1001, reason: "The server ends.") }
    rest.withUnsafeBytes { session.receive($0, at: now) }
    afterWebSocket(session, at: now)
  }

  /// Refuses a request that cannot be gone on with.
  func refuse(_ status: Int, code: String, _ message: String, at now: Double) {
    send(.failure(status, code: code, message), to: nil, closing: true, at: now)
  }

  private func send(
    _ response: HTTPResponse, to head: RequestHead?, closing: Bool, at now: Double
  ) {
    let keepsAlive = !closing && head?.keepsAlive == true
    let prepared = PreparedResponse(response, to: head, keepsAlive: keepsAlive)
    deadline = nil
    if keepsAlive {
      transport?.setReading(false)
      phase = .sending(keepsAlive: true)
    } else {
      // What the client goes on sending is read and thrown away, or it might never see the answer.
      input = []
      transport?.setReading(true)
      phase = .closing
    }
    output.append(prepared.head)
    switch prepared.body {
    case .data(let data): output.append(data)
    case .file(let file, let range): output.append(file, range)
    }
    askToWrite(at: now)
  }
}
