import Foundation
import KinemaTestSupport
import KinemaWatch
import Synchronization
import Testing

/// Only a status of 200 to 299 of the very server acknowledges an event; no other event is lost.
@Suite(.enabled(if: Helpers.hasPython, "python3 is not installed"))
struct WebhookTests {
  private let helpers: Helpers
  private let port = Helpers.freePort()

  init() throws { helpers = try Helpers() }

  private func start(seed: Int = 1) async throws {
    _ = try helpers.python(
      WebhookReceiver.program(
        port: port, acknowledged: helpers.folder.path("acknowledged"),
        elsewhere: helpers.folder.path("elsewhere"), seed: seed))
    try #require(await Helpers.wait { Helpers.isOpen(port) })
  }

  private func webhook(_ path: String) throws -> WatchConfiguration.Webhook {
    let text =
      #"{"sources": [{"name": "A", "address": "pattern:testsrc2"}], "#
      + #""webhook": {"url": "http://127.0.0.1:\#(port)/\#(path)"}}"#
    return try #require(
      try WatchConfiguration(Data(text.utf8), name: "watch.json").webhooks[.webhook])
  }

  private func post(_ path: String, timeout: Double = 60) -> WebhookReceiver.Meaning {
    let url = URL(string: "http://127.0.0.1:\(port)/\(path)") ?? URL(filePath: "/")
    let request = HTTPPost(to: url, headers: ["X-Kinema-Signature": "a"], body: Data("{}".utf8))
    do {
      try request.send(timeout: timeout)
      return .acknowledged
    } catch {
      switch error {
      case .status(let status): return .status(status)
      case .noAnswer(let reason): return .noAnswer(containing: reason)
      }
    }
  }

  @Test("an answer acknowledges with 200 to 299 only, and no redirection is followed")
  func answers() async throws {
    try await start()
    for answer in WebhookReceiver.answers {
      let meaning = post(answer.description, timeout: answer.description == "silence" ? 0.5 : 60)
      switch (meaning, answer.meaning) {
      case (.noAnswer(let reason), .noAnswer(let expected)):
        #expect(
          !reason.isEmpty && (expected.isEmpty || reason.contains(expected)), "\(answer)")
      default: #expect(meaning == answer.meaning, "\(answer)")
      }
    }
    #expect(helpers.lines("elsewhere").isEmpty)
  }

  @Test("each event arrives at least once at a receiver that answers in any way")
  func anyWay() async throws { try await deliver(60) }

  func deliver(_ count: Int) async throws {
    try await start(seed: count)
    let messages = Mutex<[String]>([])
    let outbox = try Outbox(helpers.folder.url("outbox")) { _ in }
    var pauses = WebhookSender.Pauses()
    (pauses.first, pauses.longest) = (0.005, 0.02)
    let sender = WebhookSender(
      try webhook("random"), named: "", outbox: outbox, pauses: pauses, timeout: 0.5
    ) { text in messages.withLock { $0.append(text) } }
    sender.start()
    let ids = (0..<count).map { _ in UUID() }
    for id in ids {
      outbox.add(Data("{\"id\":\"\(id.uuidString.lowercased())\"}".utf8), id: id)
    }
    #expect(await Helpers.wait(minutes: 60) { outbox.count == 0 })
    await sender.stop()
    let acknowledged = Set(helpers.lines("acknowledged"))
    #expect(ids.allSatisfy { acknowledged.contains($0.uuidString.lowercased()) })
    #expect(helpers.lines("elsewhere").isEmpty)
    // However often it fails, few lines say so.
    #expect((1...20).contains(messages.withLock { $0 }.count))
  }

  @Test("an event that is refused does not keep others back, and is sent again")
  func refusal() async throws {
    let messages = Mutex<[String]>([])
    _ = try helpers.python(
      """
      import http.server
      class Handler(http.server.BaseHTTPRequestHandler):
          count = 0
          def do_POST(self):
              body = self.rfile.read(int(self.headers["content-length"])).decode()
              Handler.count += body == "large"
              isRefused = body == "large" and Handler.count < 4
              if not isRefused: open("\(helpers.folder.path("hook"))", "a").write(body + "\\n")
              self.send_response(413 if isRefused else 204); self.end_headers()
          def log_message(self, *arguments): pass
      http.server.ThreadingHTTPServer(("", \(port)), Handler).serve_forever()
      """)
    try #require(await Helpers.wait { Helpers.isOpen(port) })
    let outbox = try Outbox(helpers.folder.url("outbox")) { _ in }
    var pauses = WebhookSender.Pauses()
    pauses.first = 0.2
    let sender = WebhookSender(
      try webhook(""), named: " nurse", outbox: outbox, pauses: pauses
    ) { text in messages.withLock { $0.append(text) } }
    for body in ["large", "fall", "lying"] { outbox.add(Data(body.utf8), id: UUID()) }
    sender.start()
    #expect(await Helpers.wait { outbox.count == 0 })
    await sender.stop()
    #expect(helpers.lines("hook") == ["fall", "lying", "large"])
    #expect(
      messages.withLock { $0 }.first
        == "The webhook nurse has not acknowledged an event (it answers 413: the event is too large "
        + "for it): it is sent again.")
  }

  @Test(
    "a server whose certificate is of another authority gets nothing",
    .enabled(if: Helpers.hasOpenSSL, "openssl is not installed"))
  func encrypted() async throws {
    let (right, wrong) = (try helpers.certificate("right"), try helpers.certificate("wrong"))
    _ = try helpers.python(
      """
      import http.server, ssl
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_POST(self):
              self.rfile.read(int(self.headers["content-length"]))
              self.send_response(204); self.end_headers()
          def log_message(self, *arguments): pass
      server = http.server.ThreadingHTTPServer(("", \(port)), Handler)
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain("\(helpers.folder.path("right")).pem", "\(helpers.folder.path("right")).key")
      server.socket = context.wrap_socket(server.socket, server_side=True)
      server.serve_forever()
      """)
    try #require(await Helpers.wait { Helpers.isOpen(port) })
    let url = try #require(URL(string: "https://localhost:\(port)/"))
    for (authority, isTrusted) in [(right.authority, true), (wrong.authority, false), (nil, false)]
    {
      let post = HTTPPost(to: url, headers: [:], body: Data(), authorities: authority)
      do {
        try post.send(timeout: 60)
        #expect(isTrusted)
      } catch {
        #expect(!isTrusted && "\(error)".contains("certificate"))
      }
    }
  }
}

/// The same with as many events as a house has in years.
@Suite(.enabled(if: Helpers.hasPython, "python3 is not installed"))
struct WebhookLongTests {
  @Test("10,000 events arrive at least once at a receiver that answers in any way")
  func deliveries() async throws {
    try await WebhookTests().deliver(10_000)
  }
}
