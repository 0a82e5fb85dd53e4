import Foundation
import KinemaHTTP
import KinemaTestSupport
import Synchronization
import Testing

extension SocketRealTimeTests {
  @Suite("Responses that are sent as they come")
  struct ResponseStreamTests {
    /// Answers each request with a stream, which stays for the test.
    private final class Streams: WebApplication {
      let webSocketSubprotocol = "test"
      let streams = Mutex<[ResponseStream]>([])

      func bodyLimit(for method: String, path: String) -> Int? { 0 }
      func refusal(ofWebSocketAt request: HTTPRequest) async -> HTTPResponse? { nil }
      func serve(_ socket: any WebSocket, request: HTTPRequest) async {}

      func response(to request: HTTPRequest) async -> HTTPResponse {
        let stream = ResponseStream(pulse: Data("pulse\n".utf8), limit: 64 << 20)
        stream.send(Data("hello\n".utf8))
        streams.withLock { $0.append(stream) }
        return HTTPResponse(headers: ["content-type": "text/plain"], body: .stream(stream))
      }

      func send(_ text: String) {
        for stream in streams.withLock({ $0 }) { stream.send(Data(text.utf8)) }
      }
    }

    /// Serves streams while a test runs.
    private static func serve(
      _ configure: (inout WebServer.Configuration) -> Void = { _ in },
      _ body: @escaping @Sendable (TestServer, Streams) throws -> Void
    ) async throws {
      let application = Streams()
      try await TestServer.run(configure, application: { _ in application }) { test in
        try body(test, application)
      }
    }

    /// Opens a stream and reads up to its first line.
    private static func open(_ url: URL, _ method: String = "GET") throws -> TestConnection {
      let connection = try TestConnection(url)
      let head = try #require(connection.request(method, "/stream"))
      #expect(head.status == 200)
      #expect(head.headers["connection"] == "close")
      #expect(head.headers["content-length"] == nil)
      return connection
    }

    @Test("parts arrive one by one, and the end of the stream closes the connection")
    func parts() async throws {
      try await Self.serve { test, application in
        let connection = try Self.open(test.url)
        #expect(connection.receiveLine() == "hello")
        application.send("one\n")
        #expect(connection.receiveLine() == "one")
        application.send("two\n")
        application.streams.withLock { $0[0].end() }
        #expect(connection.receiveAll().map { String(decoding: $0, as: UTF8.self) } == "two\n")
      }
    }

    @Test("HEAD answers without a body, and a quiet stream sends its pulse")
    func quiet() async throws {
      try await Self.serve({ $0.limits.pingInterval = 0.1 }) { test, _ in
        let head = try Self.open(test.url, "HEAD")
        #expect(head.receiveAll() == [])
        let connection = try Self.open(test.url)
        #expect((0..<3).map { _ in connection.receiveLine() } == ["hello", "pulse", "pulse"])
      }
    }

    @Test("a client that reads nothing delays neither others nor the stop")
    func slow() async throws {
      try await Self.serve { test, application in
        let slow = try Self.open(test.url)
        #expect(slow.receiveLine() == "hello")
        // More than the system's buffers hold.
        application.send(String(decoding: Data(repeating: 97, count: 48 << 20), as: UTF8.self))
        let other = try Self.open(test.url)
        #expect(other.receiveLine() == "hello")
        application.send("now\n")
        #expect(other.receiveLine() == "now")
        slow.close()
      }
    }

    @Test("what waits is bounded: beyond, the stream ends")
    func bound() {
      let stream = ResponseStream(pulse: Data(), limit: 8)
      stream.send(Data("12345678".utf8))
      #expect(stream.take() == Data("12345678".utf8))
      #expect(stream.take() == Data())
      stream.send(Data("12345678".utf8))
      stream.send(Data("9".utf8))
      #expect(stream.take() == nil)
    }

    @Test("a client that leaves ends its response")
    func leaving() async throws {
      try await Self.serve { test, _ in
        let connection = try Self.open(test.url)
        #expect(connection.receiveLine() == "hello")
        connection.close()
        #expect(test.connections(within: 60, fallTo: 0) == 0)
      }
    }
  }
}
