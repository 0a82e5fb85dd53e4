import Foundation
import KinemaHTTP
import KinemaTestSupport
import Testing

extension SocketRealTimeTests {
  @Suite("Stopping the server")
  struct ShutdownTests {
    @Test("WebSockets are closed with 1001, and an answer under way is finished")
    func graceful() async throws {
      try await TestServer.run { test in
        let socket = try test.webSocket()
        let held = try test.webSocket("hold")
        let idle = try TestConnection(test.url)
        #expect(idle.request("GET", "/")?.status == 200)
        let slow = try TestConnection(test.url)
        slow.send(Array("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        usleep(100_000)
        test.server.stop()
        #expect(socket.closeCode() == 1001)
        socket.send(opcode: 8, [3, 233])
        #expect(held.closeCode() == 1001)
        #expect(idle.isClosedByPeer())
        #expect(slow.receiveResponse()?.text == "slow")
        #expect(throws: (any Error).self) { try TestConnection(test.url) }
      }
    }

    @Test("clients that do not close do not delay the server's stop")
    func stubborn() async throws {
      try await TestServer.run { test in
        let socket = try test.webSocket()
        let bulk = try test.webSocket("bulk")
        test.server.stop()
        #expect(test.connections(within: 5, fallTo: 0) == 0)
        socket.connection.close()
        bulk.connection.close()
      }
    }

    @Test("cancelling the serving task stops the server")
    func cancelling() async throws {
      var configuration = WebServer.Configuration()
      configuration.port = 0
      let server = try WebServer(
        configuration: configuration, application: EchoApplication(folder: URL(filePath: "/")))
      let running = Task { try await server.run() }
      let url = server.url
      let socket = try await onThread {
        try TestWebSocket(connect: url.appending(path: "ws"))
      }
      running.cancel()
      #expect(try await onThread { socket.closeCode() } == 1001)
      try await running.value
      await #expect(throws: HTTPError.self) { try await server.run() }
    }
  }
}
