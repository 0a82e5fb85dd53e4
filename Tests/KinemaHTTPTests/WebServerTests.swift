import Foundation
import KinemaHTTP
import KinemaTestSupport
import Testing

extension SocketRealTimeTests {
  @Suite("Requests to the server")
  struct WebServerTests {
    @Test("one connection carries many requests, and bodies come back")
    func keepAlive() async throws {
      try await TestServer.run { test in
        let connection = try TestConnection(test.url)
        #expect(connection.request("GET", "/")?.text == "hello")
        #expect(connection.request("GET", "/query?a=%41+b&a=c")?.text == "A b")
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(connection.request("POST", "/echo", body: body)?.body == body)
        let head = connection.request("HEAD", "/")
        #expect(head?.status == 200)
        #expect(head?.headers["content-length"] == "5")
        #expect(connection.request("GET", "/nothing")?.status == 404)
        #expect(connection.request("GET", "/slow")?.text == "slow")
      }
    }

    @Test("pipelined requests are answered in order")
    func pipelining() async throws {
      try await TestServer.run { test in
        let connection = try TestConnection(test.url)
        let head = "HTTP/1.1\r\nHost: localhost\r\n"
        connection.send(
          Array(
            "GET /slow \(head)\r\nPOST /echo \(head)Content-Length: 2\r\n\r\nabGET / \(head)\r\n"
              .utf8
          ))
        let answers = (0..<3).map { _ in connection.receiveResponse()?.text }
        #expect(answers == ["slow", "ab", "hello"])
      }
    }

    @Test("a request that arrives byte by byte is answered")
    func byteByByte() async throws {
      try await TestServer.run { test in
        let connection = try TestConnection(test.url)
        for byte in Array(
          "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab".utf8)
        {
          connection.send([byte])
          usleep(200)
        }
        #expect(connection.receiveResponse()?.text == "ab")
      }
    }

    @Test("Expect: 100-continue is answered before the body")
    func expectContinue() async throws {
      try await TestServer.run { test in
        let connection = try TestConnection(test.url)
        connection.send(
          Array(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
              .utf8))
        #expect(connection.receiveLine() == "HTTP/1.1 100 Continue")
        _ = connection.receiveLine()
        connection.send(Array("ab".utf8))
        #expect(connection.receiveResponse()?.text == "ab")
      }
    }

    @Test("every answer carries the security headers")
    func securityHeaders() async throws {
      try await TestServer.run { test in
        let answers = [
          try fetch(test.url, "GET", "/"), try fetch(test.url, "GET", "/nothing"),
          try fetch(test.url, "BREW", "/"), try fetch(test.url, "GET", "/", host: "evil.example"),
        ]
        for answer in answers {
          let headers = try #require(answer?.headers)
          let policy = try #require(headers["content-security-policy"])
          #expect(policy.contains("script-src 'self'; object-src 'none'; base-uri 'none'"))
          #expect(!policy.contains("unsafe") && !policy.contains("*"))
          #expect(headers["x-content-type-options"] == "nosniff")
          #expect(headers["referrer-policy"] == "no-referrer")
          #expect(headers["permissions-policy"] == "camera=(self), microphone=()")
          #expect(headers["cross-origin-opener-policy"] == "same-origin")
          #expect(headers["cross-origin-resource-policy"] == "same-origin")
          #expect(headers["cache-control"] == "no-store")
        }
      }
    }

    @Test("files are served whole, in ranges, or as 304 where the client has them")
    func files() async throws {
      try await TestServer.run { test in
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try content.write(to: test.folder.appending(path: "file"))
        let connection = try TestConnection(test.url)
        let whole = try #require(connection.request("GET", "/file"))
        #expect(whole.status == 200)
        #expect(whole.body == content)
        let tag = try #require(whole.headers["etag"])
        func ask(_ headers: [String: String]) -> TestResponse? {
          connection.request("GET", "/file", headers: headers)
        }
        let part = ask(["Range": "bytes=1000-150000"])
        #expect(part?.status == 206)
        #expect(part?.headers["content-range"] == "bytes 1000-150000/200000")
        #expect(part?.body == content[1000...150_000])
        #expect(ask(["Range": "bytes=-5"])?.body == content.suffix(5))
        let beyond = ask(["Range": "bytes=200000-"])
        #expect(beyond?.status == 416)
        #expect(beyond?.headers["content-range"] == "bytes */200000")
        #expect(ask(["Range": "bytes=0-1", "If-Range": "\"old\""])?.status == 200)
        #expect(ask(["Range": "bytes=0-1", "If-Range": tag])?.status == 206)
        let known = ask(["If-None-Match": "\"other\", \(tag)"])
        #expect(known?.status == 304)
        #expect(known?.body.isEmpty == true)
        let head = connection.request("HEAD", "/file")
        #expect(head?.headers["content-length"] == "200000")
        try FileManager.default.removeItem(at: test.folder.appending(path: "file"))
        #expect(connection.request("GET", "/file")?.status == 404)
      }
    }

    @Test("a port that is in use is named in one sentence")
    func portInUse() async throws {
      try await TestServer.run { test in
        var configuration = WebServer.Configuration()
        configuration.port = try #require(test.url.port)
        // The server has started.
        _ = try TestConnection(test.url).request("GET", "/")
        let error = expectError(HTTPError.self) {
          try WebServer(
            configuration: configuration, application: EchoApplication(folder: test.folder))
        }
        #expect(error?.code == .cannotListen)
        #expect(
          error?.message
            == "Port \(configuration.port) of 127.0.0.1 is in use: "
            + "stop what listens there, or choose another port.")
      }
    }

    @Test("impossible settings are refused")
    func badSettings() {
      let cases: [(inout WebServer.Configuration) -> Void] = [
        { $0.port = 70000 }, { $0.host = "no.such.host.invalid" }, { $0.token = "short" },
        { $0.security = .selfSigned },
        { $0.security = .files(certificate: URL(filePath: "/none"), key: URL(filePath: "/none")) },
      ]
      for configure in cases {
        var configuration = WebServer.Configuration()
        configuration.port = 0
        configure(&configuration)
        let error = expectError(HTTPError.self) {
          try WebServer(
            configuration: configuration, application: EchoApplication(folder: URL(filePath: "/")))
        }
        #expect(error?.code == .badConfiguration)
      }
    }

    @Test("a server that never ran releases its port")
    func neverRan() throws {
      let application = EchoApplication(folder: URL(filePath: "/"))
      var configuration = WebServer.Configuration()
      configuration.port = 0
      for _ in 0..<3 {
        let server = try WebServer(configuration: configuration, application: application)
        configuration.port = try #require(server.url.port)
      }
    }

    @Test("localhost is served on all of its addresses")
    func localhost() async throws {
      try await TestServer.run({ $0.host = "localhost" }) { test in
        #expect(test.url.host() == "localhost")
        let answer = try fetch(test.url, "GET", "/", host: "localhost")
        #expect(answer?.text == "hello")
      }
    }
  }
}
