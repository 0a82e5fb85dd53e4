import Foundation
import KinemaHTTP
import KinemaTestSupport
import Testing

extension SocketRealTimeTests {
  @Suite("Access to the server")
  struct WebServerAccessTests {
    private static let token = "0123456789abcdefghijklmn"

    @Test("requests for other host names are refused")
    func hosts() async throws {
      try await TestServer.run({ $0.allowedHosts = ["kinema.example"] }) { test in
        let port = try #require(test.url.port)
        let statuses = try [
          "localhost", "127.0.0.1:\(port)", "[::1]:9", "LOCALHOST", "kinema.example",
          "evil.example",
          "127.0.0.1.evil.example", "evil.example:\(port)", "a b", "localhost@evil", "localhost:x",
          "",
        ].map { try fetch(test.url, "GET", "/", host: $0)?.status }
        #expect(
          statuses == [200, 200, 200, 200, 200, 421, 421, 421, 400, 400, 400, 400])
        let connection = try TestConnection(test.url)
        connection.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(connection.receiveResponse()?.status == 400)
      }
    }

    @Test("pages of other servers can neither change anything nor open a WebSocket")
    func origins() async throws {
      try await TestServer.run { test in
        let port = try #require(test.url.port)
        let host = "127.0.0.1:\(port)"
        func post(_ origin: String?) throws -> Int? {
          var headers: [String: String] = [:]
          headers["Origin"] = origin
          return try fetch(
            test.url, "POST", "/echo", host: host, headers: headers, body: Data("a".utf8))?.status
        }
        #expect(try post(nil) == 200)
        #expect(try post("http://\(host)") == 200)
        for origin in ["http://evil.example", "http://127.0.0.1:1", "null", "http://\(host).evil"] {
          #expect(try post(origin) == 403)
          let refused = expectError(TestWebSocket.Refused.self) {
            try test.webSocket(host: host, headers: ["Origin": origin])
          }
          #expect(refused?.response.status == 403)
        }
        #expect(
          try fetch(test.url, "GET", "/", headers: ["Origin": "http://evil.example"])?.status == 200
        )
        let socket = try test.webSocket(host: host, headers: ["Origin": "http://\(host)"])
        socket.send("hello")
        #expect(socket.receiveText() == "hello")
        let rebound = expectError(TestWebSocket.Refused.self) {
          try test.webSocket(host: "evil.example", headers: ["Origin": "http://evil.example"])
        }
        #expect(rebound?.response.status == 421)
      }
    }

    @Test("a token, where there is one, is required")
    func tokens() async throws {
      try await TestServer.run({ $0.token = Self.token }) { test in
        #expect(test.server.addressToOpen.query() == "token=\(Self.token)")
        func status(_ target: String, _ headers: [String: String] = [:]) throws -> Int? {
          try fetch(test.url, "GET", target, headers: headers)?.status
        }
        #expect(try status("/") == 401)
        #expect(try status("/healthz") == 200)
        #expect(try status("/", ["Authorization": "Bearer \(Self.token)"]) == 200)
        #expect(try status("/", ["Authorization": "Bearer \(Self.token)x"]) == 401)
        #expect(try status("/", ["Authorization": "Bearer "]) == 401)
        #expect(try status("/", ["Cookie": "a=b; kinema_token=\(Self.token)"]) == 200)
        #expect(try status("/", ["Cookie": "kinema_token=wrong"]) == 401)
        #expect(try status("/query?token=\(Self.token)") == 401)
        #expect(try status("/?token=wrong") == 401)
        let page = try fetch(test.url, "GET", "/", headers: ["Accept": "text/html"])
        #expect(page?.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page?.text.contains("token") == true)
        #expect(page?.headers["www-authenticate"] == "Bearer")
        let stranger = try fetch(
          test.url, "GET", "/", host: "evil.example", headers: ["Accept": "text/html"])
        #expect(stranger?.status == 421 && stranger?.text.contains("<h1>") == true)
      }
    }

    @Test("the token of the address moves into a cookie")
    func cookie() async throws {
      try await TestServer.run({ $0.token = Self.token }) { test in
        let response = try fetch(test.url, "GET", "/?token=\(Self.token)")
        #expect(response?.status == 303)
        #expect(response?.headers["location"] == "/")
        #expect(
          response?.headers["set-cookie"]
            == "kinema_token=\(Self.token); Path=/; HttpOnly; SameSite=Strict")
      }
    }

    @Test("WebSockets need the token as well")
    func webSockets() async throws {
      try await TestServer.run({ $0.token = Self.token }) { test in
        let refused = expectError(TestWebSocket.Refused.self) { try test.webSocket() }
        #expect(refused?.response.status == 401)
        let open = try TestWebSocket(
          connect: test.webSocketURL.appending(
            queryItems: [URLQueryItem(name: "token", value: Self.token)]))
        open.send("hello")
        #expect(open.receiveText() == "hello")
        _ = try test.webSocket(headers: ["Cookie": "kinema_token=\(Self.token)"])
      }
    }

    @Test("tokens are long, random and fit into an address")
    func randomTokens() {
      let tokens = Set((0..<100).map { _ in WebServer.Configuration.randomToken() })
      #expect(tokens.count == 100)
      #expect(tokens.allSatisfy { $0.count == 32 })
    }
  }
}
