import Foundation
import KinemaHTTP
import KinemaTestSupport
import Testing

extension SocketRealTimeTests {
  @Suite("WebSockets")
  struct WebSocketTests {
    @Test("texts and pictures come back, fragments put together")
    func echo() async throws {
      try await TestServer.run { test in
        let socket = try test.webSocket()
        #expect(socket.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(socket.headers["sec-websocket-protocol"] == "kinema.live.v1")
        socket.send("grüße")
        #expect(socket.receive() == .text("grüße"))
        let picture = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        socket.send(picture)
        #expect(socket.receive() == .binary(picture))
        socket.send(opcode: 1, Array("a".utf8), isFinal: false)
        socket.send(opcode: 9, [1, 2])
        socket.send(opcode: 0, Array("b".utf8))
        #expect(socket.next() == .pong(Data([1, 2])))
        #expect(socket.next() == .message(.text("ab")))
      }
    }

    @Test("either side may close")
    func closing() async throws {
      try await TestServer.run { test in
        let client = try test.webSocket()
        client.send(opcode: 8, [3, 232])
        #expect(client.receiveClose() == .close(1000, ""))
        #expect(client.connection.isClosedByPeer())
        let server = try test.webSocket()
        server.send("close")
        #expect(server.receiveClose() == .close(1013, "busy"))
        server.send(opcode: 8, [3, 245])
        #expect(server.connection.isClosedByPeer())
      }
    }

    @Test("messages that arrive with the handshake are not lost")
    func early() async throws {
      try await TestServer.run { test in
        let connection = try TestConnection(test.url)
        let head = """
          GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r
          Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
          """
        connection.send(Array(head.utf8) + TestWebSocket.frame(opcode: 1, [65, 66]))
        #expect(connection.receiveLine() == "HTTP/1.1 101 Switching Protocols")
        while let line = connection.receiveLine(), !line.isEmpty {}
        #expect(connection.receive(4) == [0x81, 2, 65, 66])
      }
    }

    @Test(
      "malformed handshakes are refused",
      arguments: [
        (["Sec-WebSocket-Version": "8"], 426), (["Sec-WebSocket-Key": "short"], 400),
        (["Sec-WebSocket-Protocol": "chat, superchat"], 400),
      ])
    func handshakes(_ headers: [String: String], _ status: Int) async throws {
      try await TestServer.run { test in
        let refused = expectError(TestWebSocket.Refused.self) {
          try test.webSocket(headers: headers)
        }
        #expect(refused?.response.status == status)
      }
    }

    @Test("the application may refuse, with its own answer")
    func applicationRefuses() async throws {
      try await TestServer.run { test in
        let busy = expectError(TestWebSocket.Refused.self) { try test.webSocket("busy") }
        #expect(busy?.response.status == 503)
        let other = expectError(TestWebSocket.Refused.self) { try test.webSocket("other") }
        #expect(other?.response.status == 404)
      }
    }

    @Test("a client needs no subprotocol, and may offer several")
    func subprotocols() async throws {
      try await TestServer.run { test in
        let none = try test.webSocket(subprotocol: nil)
        #expect(none.headers["sec-websocket-protocol"] == nil)
        let several = try test.webSocket(subprotocol: "chat, kinema.live.v1")
        #expect(several.headers["sec-websocket-protocol"] == "kinema.live.v1")
      }
    }

    @Test("for a slow reader, the newest message replaces the waiting one")
    func latest() async throws {
      try await TestServer.run { test in
        let socket = try test.webSocket("latest")
        usleep(1_500_000)
        var last: UInt8?
        var count = 0
        while let message = socket.receive() {
          guard case .binary(let picture) = message else {
            #expect(message == .text("\(200 - count)"))
            break
          }
          if let last { #expect(picture[picture.startIndex] > last) }
          last = picture[picture.startIndex]
          count += 1
        }
        #expect(last == 199)
        #expect(count < 150)
      }
    }
  }
}
