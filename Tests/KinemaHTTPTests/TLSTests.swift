import Foundation
import KinemaHTTP
import KinemaTestSupport
import Testing

extension SocketRealTimeTests {
  @Suite("TLS")
  struct TLSTests {
    /// Runs a Python program with the standard library's TLS against a server; its last line.
    private static func python(_ program: String, _ arguments: [String]) throws -> String {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["python3", "-c", program] + arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitForEnd()
      let text = String(decoding: output, as: UTF8.self)
      return text.split(separator: "\n").last.map(String.init) ?? ""
    }

    private static let request = """
      import http.client, ssl, sys
      context = ssl.create_default_context(cafile=sys.argv[2])
      context.set_alpn_protocols(["h2", "http/1.1"])
      connection = http.client.HTTPSConnection("127.0.0.1", int(sys.argv[1]), context=context)
      answers = []
      for path in sys.argv[3:]:
        connection.request("GET", path, headers={"Authorization": "Bearer 0123456789abcdef"})
        response = connection.getresponse()
        answers.append(str(response.status) + " " + str(len(response.read())))
      print(connection.sock.version(), connection.sock.selected_alpn_protocol(), *answers)
      """

    @Test("a self-signed pair is created, readable by its owner only, and reused")
    func selfSigned() async throws {
      try await TestServer.run({ configuration in
        configuration.security = .selfSigned
        configuration.token = "0123456789abcdef"
      }) { test in
        let certificate = try #require(test.server.certificate)
        let key = certificate.deletingLastPathComponent().appending(path: "key.pem")
        let mode = try FileManager.default.attributesOfItem(atPath: key.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(test.url.scheme == "https")
        let port = try #require(test.url.port)
        // The client checks the certificate against the address: the names in it are right.
        let answer = try Self.python(
          Self.request, ["\(port)", certificate.path, "/", "/nothing", "/big", "/"])
        #expect(answer == "TLSv1.3 http/1.1 200 5 404 101 200 67108864 200 5")
        let fingerprint = try Self.python(
          """
          import hashlib, ssl, sys
          der = ssl.PEM_cert_to_DER_cert(open(sys.argv[1]).read())
          print(hashlib.sha256(der).hexdigest())
          """, [certificate.path])
        #expect(
          test.server.selfSignedFingerprint?.replacing(":", with: "").lowercased() == fingerprint)
        let before = try Data(contentsOf: certificate)
        var configuration = WebServer.Configuration()
        configuration.port = 0
        configuration.security = .selfSigned
        configuration.certificateFolder = certificate.deletingLastPathComponent()
        _ = try WebServer(
          configuration: configuration, application: EchoApplication(folder: test.folder))
        #expect(try Data(contentsOf: certificate) == before)
        configuration.allowedHosts = ["kinema.example"]
        _ = try WebServer(
          configuration: configuration, application: EchoApplication(folder: test.folder))
        #expect(try Data(contentsOf: certificate) != before)
      }
    }

    @Test("on a public address TLS and a token are required by default")
    func publicAddress() async throws {
      try await TestServer.run({ $0.host = "0.0.0.0" }) { test in
        #expect(test.url.scheme == "https")
        #expect(test.server.token?.count == 32)
        let certificate = try #require(test.server.certificate)
        let port = try #require(test.url.port)
        let answer = try Self.python(
          Self.request, ["\(port)", certificate.path, "/", "/healthz"])
        #expect(answer.hasPrefix("TLSv1.3 http/1.1 401"))
      }
    }

    @Test("connections without TLS are closed, and WebSockets work over TLS")
    func webSocket() async throws {
      try await TestServer.run({ $0.security = .selfSigned }) { test in
        let certificate = try #require(test.server.certificate)
        let port = try #require(test.url.port)
        for bytes in [
          Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), [0x16, 3, 1, 0xff, 0xff],
        ] {
          let connection = try TestConnection(test.url)
          connection.send(bytes)
          if bytes.count > 10 { #expect(connection.isClosedByPeer()) }
        }
        let answer = try Self.python(
          Self.webSocketProgram, ["\(port)", certificate.path])
        #expect(answer == "2000000 equal, closed 1000")
      }
    }

    private static let webSocketProgram = """
      import os, socket, ssl, struct, sys
      context = ssl.create_default_context(cafile=sys.argv[2])
      raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
      good = context.wrap_socket(raw, server_hostname="localhost").makefile("rwb")
      good.write(b"GET /ws HTTP/1.1\\r\\nHost: localhost\\r\\nUpgrade: websocket\\r\\n"
        b"Connection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n")
      good.flush()
      while good.readline().strip():
        pass
      sent = os.urandom(2000000)
      good.write(b"\\x82\\xff" + struct.pack(">Q", len(sent)) + bytes(4) + sent)
      good.flush()
      head, length = good.read(2), struct.unpack(">Q", good.read(8))[0]
      received = good.read(length)
      good.write(b"\\x88\\x82" + bytes(4) + b"\\x03\\xe8")
      good.flush()
      closed = struct.unpack(">H", good.read(4)[2:])[0]
      print(length, "equal" if received == sent else "different", end="")
      print(", closed", closed)
      """

    @Test("a certificate and a key that are no pair are refused")
    func wrongKey() async throws {
      try await TestServer.run({ $0.security = .selfSigned }) { test in
        let certificate = try #require(test.server.certificate)
        var other = WebServer.Configuration()
        other.port = 0
        other.security = .selfSigned
        other.certificateFolder = test.folder.appending(path: "other")
        let application = EchoApplication(folder: test.folder)
        _ = try WebServer(configuration: other, application: application)
        let key = test.folder.appending(path: "other/key.pem")
        other.security = .files(certificate: certificate, key: key)
        let error = expectError(HTTPError.self) {
          try WebServer(configuration: other, application: application)
        }
        #expect(error?.code == .badConfiguration)
        #expect(error?.message.contains("do not belong together") == true)
      }
    }
  }
}
