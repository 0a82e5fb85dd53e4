import Foundation
import KinemaHTTP
import KinemaTestSupport
import Synchronization
import Testing

extension SocketRealTimeTests {
  /// Each hostile client runs beside a well-behaved session, which must not be affected.
  @Suite("Hostile and slow clients")
  struct BadClientTests {
    private func beside(
      _ limits: @Sendable (inout WebServer.Limits) -> Void = { _ in },
      _ body: @escaping @Sendable (TestServer) throws -> Void
    ) async throws {
      let trouble = try await TestServer.run({ limits(&$0.limits) }) { test -> String? in
        let good = try GoodSession(test)
        do {
          try body(test)
        } catch {
          _ = good.finish()
          throw error
        }
        return good.finish()
      }
      #expect(trouble == nil)
    }

    @Test("a frame of 50 MB is refused by its header")
    func hugeFrame() async throws {
      try await beside { test in
        let socket = try test.webSocket()
        socket.send(raw: TestWebSocket.frame(opcode: 2, [], length: 50 << 20))
        let megabyte = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<50 where socket.send(raw: megabyte) < megabyte.count { break }
        #expect(socket.closeCode() == 1009)
      }
    }

    @Test("endless fragments are refused at the limit")
    func endlessFragments() async throws {
      try await beside({ $0.messageBytes = 1 << 20 }) { test in
        let socket = try test.webSocket()
        socket.send(opcode: 2, [UInt8](repeating: 1, count: 65536), isFinal: false)
        for _ in 0..<20 {
          socket.send(opcode: 0, [UInt8](repeating: 1, count: 65536), isFinal: false)
        }
        #expect(socket.closeCode() == 1009)
      }
    }

    @Test("frames that break the protocol close with their code")
    func brokenFrames() async throws {
      try await beside { test in
        let cases: [([UInt8], UInt16)] = [
          (TestWebSocket.frame(opcode: 1, [65], isMasked: false), 1002),
          (TestWebSocket.frame(opcode: 1, [0xff]), 1007),
          ([0xff, 0xff] + [UInt8](repeating: 0, count: 12), 1002),
          (TestWebSocket.frame(opcode: 0, [65]), 1002),
        ]
        for (bytes, code) in cases {
          let socket = try test.webSocket()
          socket.send(raw: bytes)
          #expect(socket.closeCode() == code)
          #expect(socket.connection.isClosedByPeer())
        }
      }
    }

    @Test("too many messages a second close with 1008")
    func flood() async throws {
      try await beside({ ($0.messagesPerSecond, $0.messagesBurst) = (1000, 2000) }) { test in
        let socket = try test.webSocket("hold")
        let many = (0..<5000).flatMap { _ in TestWebSocket.frame(opcode: 9, []) }
        for _ in 0..<10 where socket.send(raw: many) < many.count { break }
        #expect(socket.closeCode() == 1008)
      }
    }

    @Test("too many bytes a second close with 1008")
    func floodOfBytes() async throws {
      try await beside({ ($0.bytesPerSecond, $0.bytesBurst) = (1e6, 4e6) }) { test in
        let socket = try test.webSocket()
        let megabyte = TestWebSocket.frame(opcode: 2, [UInt8](repeating: 1, count: 1 << 20))
        let sender = Thread {
          for _ in 0..<20 where socket.send(raw: megabyte) < megabyte.count { break }
        }
        sender.start()
        #expect(socket.closeCode() == 1008)
      }
    }

    @Test("a client is not read from while the application reads no messages")
    func backPressure() async throws {
      try await beside { test in
        let socket = try test.webSocket("hold")
        let megabyte = TestWebSocket.frame(opcode: 2, [UInt8](repeating: 1, count: 1 << 20))
        var sent = 0
        for _ in 0..<60 {
          let count = socket.connection.send(megabyte, timeout: 0.3)
          sent += count
          if count < megabyte.count { break }
        }
        #expect(sent < 40 << 20)
      }
    }

    @Test("a client that reads too slowly is closed when too much waits for it")
    func slowReader() async throws {
      try await beside({ $0.closeTimeout = 0.3 }) { test in
        let socket = try test.webSocket("bulk")
        usleep(1_500_000)
        var bytes = 0
        while let message = socket.receive(timeout: 2) {
          if case .binary(let data) = message { bytes += data.count }
        }
        #expect(bytes < 64 << 20)
        #expect(socket.connection.isClosedByPeer())
      }
    }

    @Test("a client that does not read its answer is dropped")
    func unreadAnswer() async throws {
      try await beside({ ($0.silenceTimeout, $0.pingInterval) = (1.5, 0.5) }) { test in
        let connection = try TestConnection(test.url)
        connection.send(Array("GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        usleep(3_500_000)
        let received = connection.receiveAll()
        #expect((received?.count ?? .max) < 64 << 20)
      }
    }

    @Test("a silent WebSocket is pinged, then dropped; one that answers stays")
    func halfOpen() async throws {
      try await beside({ ($0.silenceTimeout, $0.pingInterval) = (1.6, 0.4) }) { test in
        let dead = try test.webSocket()
        let quiet = try test.webSocket()
        dead.answersPings = false
        #expect(dead.next() == .ping(Data()))
        for _ in 0..<8 {
          let event = quiet.next(timeout: 0.4)
          #expect(event == nil || event == .ping(Data()))
        }
        #expect(dead.connection.isClosedByPeer())
        quiet.send("still here")
        #expect(quiet.receiveText() == "still here")
      }
    }

    @Test("a request head that never ends is closed after its timeout")
    func slowloris() async throws {
      try await beside({ $0.headTimeout = 0.6 }) { test in
        let connections = try (0..<20).map { _ in try TestConnection(test.url) }
        for connection in connections { connection.send(Array("GET / HTTP/1.1\r\nX: ".utf8)) }
        for _ in 0..<10 {
          for connection in connections { connection.send([65]) }
          usleep(100_000)
        }
        for connection in connections {
          let answer = connection.receiveResponse()
          #expect(answer == nil || answer?.status == 408)
          #expect(connection.isClosedByPeer())
        }
        #expect(try TestConnection(test.url).isClosedByPeer(within: 3))
      }
    }

    @Test("a client that sends only empty lines is closed after the head's timeout")
    func emptyLines() async throws {
      try await beside({ $0.headTimeout = 0.6 }) { test in
        for (count, pause) in [(1, 100_000), (100_000, 0)] {
          let connection = try TestConnection(test.url)
          let lines = Array(repeatElement([13, 10] as [UInt8], count: count).joined())
          let deadline = ContinuousClock.now + .seconds(30)
          while ContinuousClock.now < deadline, connection.send(lines) == lines.count {
            usleep(UInt32(pause))
          }
          #expect(ContinuousClock.now < deadline)
        }
      }
    }

    @Test("a request body that is too slow is refused with 408")
    func slowBody() async throws {
      try await beside({
        $0.headTimeout = 0.4; $0.bodyBytesPerSecond = 1e6
      }) { test in
        let connection = try TestConnection(test.url)
        connection.send(
          Array("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n".utf8))
        for _ in 0..<8 {
          connection.send([65])
          usleep(100_000)
        }
        #expect(connection.receiveResponse()?.status == 408)
      }
    }

    @Test("a request head that is too long is refused with 431")
    func longHead() async throws {
      try await beside { test in
        let connection = try TestConnection(test.url)
        connection.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n".utf8))
        connection.send([UInt8](repeating: 65, count: 200_000))
        #expect(connection.receiveResponse()?.status == 431)
        #expect(connection.isClosedByPeer())
      }
    }

    @Test("a request body that is too long is refused with 413, without being read")
    func longBody() async throws {
      try await beside { test in
        let connection = try TestConnection(test.url)
        connection.send(
          Array("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n".utf8))
        connection.send([UInt8](repeating: 65, count: 4 << 20))
        let response = connection.receiveResponse()
        #expect(response?.status == 413)
        #expect(response?.text.contains("at most 1048576 bytes") == true)
        #expect(try fetch(test.url, "POST", "/", body: Data("a".utf8))?.status == 413)
      }
    }

    @Test("paths with .. and requests that are not HTTP are refused")
    func garbage() async throws {
      try await beside { test in
        for path in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/a%00", "/%zz", "/..%5c"] {
          #expect(try fetch(test.url, "GET", path)?.status == 400)
        }
        #expect(try fetch(test.url, "BREW", "/")?.status == 405)
        #expect(try fetch(test.url, "OPTIONS", "/")?.status == 405)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<40 {
          let connection = try TestConnection(test.url)
          connection.send((0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) })
          connection.send(Array("\r\n\r\n".utf8))
          #expect(connection.receiveResponse()?.status == 400)
        }
        for hello in ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{5}hello\r\n\r\n"] {
          let connection = try TestConnection(test.url)
          connection.send(Array(hello.utf8))
          #expect([400, 405].contains(connection.receiveResponse()?.status))
        }
      }
    }

    @Test("an address has a limited number of connections, which do not give way while in use")
    func connections() async throws {
      try await beside({ $0.connectionsPerAddress = 10 }) { test in
        var open: [TestConnection] = []
        for _ in 0..<9 {
          open.append(try test.webSocket("hold").connection)
        }
        let refused = (0..<5).map { _ -> Bool in
          guard let connection = try? TestConnection(test.url) else { return true }
          return connection.request("GET", "/", timeout: 2)?.status != 200
        }
        #expect(refused.allSatisfy { $0 })
        for connection in open { connection.close() }
        usleep(200_000)
        #expect(try fetch(test.url, "GET", "/")?.status == 200)
      }
    }

    @Test("a client that keeps sending after it was refused still finds the close")
    func lateReader() async throws {
      try await beside({ $0.closeTimeout = 0.5 }) { test in
        let socket = try test.webSocket()
        socket.send("close")
        let picture = TestWebSocket.frame(opcode: 2, [UInt8](repeating: 1, count: 4096))
        for _ in 0..<8 {
          socket.send(raw: picture)
          usleep(100_000)
        }
        #expect(socket.closeCode(timeout: 60) == 1013)
      }
    }

    @Test("connections that only wait give way to those that ask, which lock nobody out")
    func idleConnections() async throws {
      try await beside({ ($0.connections, $0.connectionsPerAddress) = (12, 10) }) { test in
        let socket = try test.webSocket()
        var idle: [TestConnection] = []
        for _ in 0..<70 {
          idle.append(try TestConnection(test.url))
          if idle.count.isMultiple(of: 10) {
            #expect(try fetch(test.url, "GET", "/healthz")?.status == 200)
          }
        }
        socket.send("still here")
        #expect(socket.receiveText() == "still here")
        socket.connection.close()
      }
    }

    @Test("strangers who use up an address's requests do not use up those with the token")
    func rateWithToken() async throws {
      try await TestServer.run({ configuration in
        configuration.token = "secret-of-the-test"
        (configuration.limits.requestsPerSecond, configuration.limits.requestsBurst) = (1, 20)
      }) { test in
        var statuses: [Int?] = []
        for _ in 0..<25 { statuses.append(try fetch(test.url, "GET", "/")?.status) }
        #expect(statuses.first == 401)
        #expect(statuses.last == 429)
        #expect(try fetch(test.url, "GET", "/healthz")?.status == 200)
        let headers = ["Authorization": "Bearer secret-of-the-test"]
        // Several pages at once, of many files each.
        let present = try TestConnection(test.url)
        for _ in 0..<100 {
          #expect(present.request("GET", "/", headers: headers)?.status == 200)
        }
      }
    }

    @Test("a flood of silent connections does not lock out a token holder of the same address")
    func floodBesideToken() async throws {
      try await TestServer.run({ configuration in
        configuration.token = "secret-of-the-test"
        configuration.limits.connectionsPerAddress = 10
        (configuration.limits.newConnectionsPerSecond, configuration.limits.newConnectionsBurst) =
          (0.1, 20)
      }) { test in
        let headers = ["Authorization": "Bearer secret-of-the-test"]
        let present = try TestConnection(test.url)
        #expect(present.request("GET", "/", headers: headers)?.status == 200)
        var silent: [TestConnection] = []
        for _ in 0..<60 { silent.append(try TestConnection(test.url)) }
        #expect(try fetch(test.url, "GET", "/", headers: headers)?.status == 200)
        #expect(present.request("GET", "/", headers: headers)?.status == 200)
      }
    }

    @Test("an address that exceeds its connection rate is refused")
    func manyConnections() async throws {
      try await beside({ ($0.newConnectionsPerSecond, $0.newConnectionsBurst) = (5, 20) }) { test in
        var answered = 0
        let start = ContinuousClock.now
        for _ in 0..<100 where (try? fetch(test.url, "GET", "/"))??.status == 200 { answered += 1 }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        #expect(answered >= 15 && Double(answered) < 20 + 5 * (seconds + 1))
      }
    }

    @Test("an address that exceeds its request rate is refused with 429")
    func manyRequests() async throws {
      try await beside({ ($0.requestsPerSecond, $0.requestsBurst) = (5, 50) }) { test in
        let connection = try TestConnection(test.url)
        var statuses: [Int] = []
        while let status = connection.request("GET", "/")?.status { statuses.append(status) }
        #expect(statuses.last == 429)
        #expect(statuses.dropLast().allSatisfy { $0 == 200 })
      }
    }

    @Test("clients that disconnect at any point leave no connection behind")
    func vanishing() async throws {
      try await beside { test in
        for index in 0..<60 {
          if index.isMultiple(of: 3) {
            let socket = try test.webSocket(index.isMultiple(of: 2) ? "bulk" : "hold")
            socket.send(raw: [0x82, 0xff, 0])
            socket.connection.close()
          } else {
            let connection = try TestConnection(test.url)
            connection.send(
              Array(
                "GET /\(index.isMultiple(of: 2) ? "slow" : "big") HTTP/1.1\r\nHost: localhost".utf8)
            )
            if index.isMultiple(of: 5) { connection.send(Array("\r\n\r\n".utf8)) }
            connection.close()
          }
        }
        #expect(test.connections(within: 5, fallTo: 1) == 1)
      }
    }
  }
}
