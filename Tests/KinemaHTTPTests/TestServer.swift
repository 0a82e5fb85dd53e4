import Foundation
import KinemaHTTP
import KinemaTestSupport

/// A server with an application that echoes, for one test.
struct TestServer: Sendable {
  let server: WebServer
  let folder: URL

  var url: URL { server.url }
  var webSocketURL: URL { server.url.appending(path: "ws") }

  /// Opens a WebSocket that echoes.
  func webSocket(
    _ path: String = "ws", host: String = "127.0.0.1", headers: [String: String] = [:],
    subprotocol: String? = "kinema.live.v1"
  ) throws -> TestWebSocket {
    try TestWebSocket(
      connect: url.appending(path: path), host: host, headers: headers, subprotocol: subprotocol)
  }

  /// The number of connections once it is as low as this, or after some seconds.
  func connections(within seconds: Int, fallTo count: Int) -> Int {
    for _ in 0..<(seconds * 50) where server.connectionCount > count { usleep(20_000) }
    return server.connectionCount
  }

  /// Serves while `body` runs, on a thread of its own.
  static func run<Result: Sendable>(
    _ configure: (inout WebServer.Configuration) -> Void = { _ in },
    application: ((URL) -> any WebApplication)? = nil,
    _ body: @escaping @Sendable (TestServer) throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "kinema-server-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = WebServer.Configuration()
    configuration.port = 0
    configuration.certificateFolder = folder.appending(path: "certificate")
    // All of a test's clients come from one address.
    configuration.limits.newConnectionsPerSecond = 1000
    configuration.limits.newConnectionsBurst = 1000
    configure(&configuration)
    let server = try WebServer(
      configuration: configuration,
      application: application?(folder) ?? EchoApplication(folder: folder))
    let running = Task { try await server.run() }
    let result: Swift.Result<Result, any Error>
    do {
      let test = TestServer(server: server, folder: folder)
      result = .success(try await onThread { try body(test) })
    } catch {
      result = .failure(error)
    }
    server.stop()
    try await running.value
    return try result.get()
  }
}

/// Echoes bodies and messages; has a file and a slow answer.
struct EchoApplication: WebApplication {
  let webSocketSubprotocol = "kinema.live.v1"
  let folder: URL

  func bodyLimit(for method: String, path: String) -> Int? { path == "/echo" ? 1 << 20 : 0 }

  func response(to request: HTTPRequest) async -> HTTPResponse {
    switch request.path {
    case "/": return .text("hello")
    case "/healthz": return .text("ok")
    case "/query": return .text(request.query["a"] ?? "none")
    case "/echo":
      return HTTPResponse(
        headers: ["content-type": "application/octet-stream"], body: .data(request.body))
    case "/file": return HTTPResponse(body: .file(folder.appending(path: "file")))
    case "/slow":
      try? await Task.sleep(for: .milliseconds(400))
      return .text("slow")
    case "/big": return HTTPResponse(body: .data(Data(repeating: 7, count: 64 << 20)))
    default: return .failure(404, code: "notFound", MessageText("nothingHere"))
    }
  }

  func refusal(ofWebSocketAt request: HTTPRequest) async -> HTTPResponse? {
    switch request.path {
    case "/ws", "/hold", "/bulk", "/latest": nil
    case "/busy": .failure(503, code: "busy", MessageText("tooManyConnections"))
    default: .failure(404, code: "notFound", MessageText("nothingHere"))
    }
  }

  func serve(_ socket: any WebSocket, request: HTTPRequest) async {
    switch request.path {
    case "/hold":
      // Takes nothing until the server ends.
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
    case "/bulk":
      for _ in 0..<64 { socket.send(.binary(Data(repeating: 1, count: 1 << 20))) }
      for await _ in socket.messages {}
    case "/latest": await sendLatest(socket)
    default:
      for await message in socket.messages {
        if message == .text("close") { return socket.close(code: 1013, reason: "busy") }
        socket.send(message)
      }
    }
  }

  /// Sends pictures faster than a slow client takes them, then says how many were replaced.
  private func sendLatest(_ socket: any WebSocket) async {
    var replaced = 0
    for index in 0..<200 {
      let picture = Data([UInt8(index)]) + Data(count: 256 << 10)
      if socket.sendLatest(.binary(picture), kind: "picture") { replaced += 1 }
      try? await Task.sleep(for: .milliseconds(1))
    }
    socket.send(.text("\(replaced)"))
    for await _ in socket.messages {}
  }
}
