import Foundation
import KinemaFiles
import KinemaTestSupport
import KinemaWatch
import Synchronization
import Testing

/// Real receivers: mosquitto, and a small web server.
@Suite(.serialized, .enabled(if: Helpers.hasMosquitto, Helpers.reason))
struct DeliveryTests {
  private let helpers: Helpers

  init() throws { helpers = try Helpers() }

  private func configuration(_ receivers: String) throws -> WatchConfiguration {
    let sources = #"[{"name": "A", "address": "pattern:testsrc2"}]"#
    return try WatchConfiguration(
      Data("{\"sources\": \(sources), \(receivers)}".utf8), name: "watch.json")
  }

  private func receivers(
    _ configuration: WatchConfiguration, report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> Receivers {
    var pauses = WebhookSender.Pauses()
    (pauses.first, pauses.longest) = (0.1, 0.4)
    return try Receivers(
      configuration, folder: helpers.folder.url("outbox"), pauses: pauses, report: report)
  }

  /// Sends events, and returns their ids.
  private func send(
    _ count: Int, _ receiver: WatchRule.Receiver, by receivers: Receivers
  ) -> [String] {
    (0..<count).map { index in
      let announcement = Announcement(
        WatchEvent(.fall, at: Double(index), person: 1), of: "Living room")
      receivers.send(announcement, to: [receiver])
      return announcement.id.uuidString.lowercased()
    }
  }

  private func ids(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      line.firstMatch(of: /"id":"([-0-9a-f]+)"/).map { String($0.1) }
    }
  }

  @Test("a broker keeps the state, what Home Assistant reads, and says when Kinema is offline")
  func retained() async throws {
    let port = Helpers.freePort()
    _ = try await helpers.broker(port: port)
    let receivers = try receivers(
      configuration(#""mqtt": {"host": "127.0.0.1", "port": \#(port)}"#))
    var state = SourceState()
    state.action = "squats"
    receivers.publish(state, of: "Gym")
    _ = try helpers.start(
      "/usr/bin/mosquitto_sub", ["-p", "\(port)", "-v", "-t", "#"], output: "all")
    #expect(
      await Helpers.wait {
        let lines = helpers.lines("all")
        return lines.contains { $0.hasPrefix("kinema/gym/state ") && $0.contains("squats") }
          && lines.contains {
            $0.hasPrefix("homeassistant/binary_sensor/kinema-gym/person/config ")
          }
          && lines.contains("kinema/status online")
      })
    var fall = Announcement(WatchEvent(.fall, at: 1), of: "Gym")
    fall.picture = Data("picture".utf8)
    receivers.send(fall, to: [.mqtt])
    #expect(await Helpers.wait { helpers.lines("all").contains("kinema/gym/picture cGljdHVyZQ==") })
    // A zone is an entity as soon as somebody draws it, and is none when it goes.
    let zone = "homeassistant/binary_sensor/kinema-gym/zone-bed/config"
    state.zones = ["Bed": 1]
    receivers.publish(state, of: "Gym")
    #expect(await Helpers.wait { helpers.lines("all").contains { $0.hasPrefix(zone + " {") } })
    state.zones = [:]
    receivers.publish(state, of: "Gym")
    #expect(
      await Helpers.wait {
        helpers.lines("all").contains { $0.hasPrefix(zone) && !$0.contains("{") }
      })
    receivers.send(
      ClipAnnouncement(Data("video".utf8), of: Announcement(WatchEvent(.fall, at: 1), of: "Gym")),
      to: [.mqtt])
    #expect(
      await Helpers.wait { helpers.lines("all").contains { $0.hasPrefix("kinema/gym/clips {") } })
    await receivers.stop()
    #expect(await Helpers.wait { helpers.lines("all").contains("kinema/status offline") })
  }

  @Test("a broker gets each event exactly once: it, the network and the sender start again")
  func mqtt() async throws {
    let (port, front) = (Helpers.freePort(), Helpers.freePort())
    let broker = try await helpers.broker(port: port)
    var network = try await helpers.network(from: front, to: port)
    try helpers.subscribe("home/living-room/events", port: port, output: "mqtt")
    let configuration = try configuration(
      #""mqtt": {"host": "127.0.0.1", "port": \#(front), "prefix": "home"}"#)
    var receivers = try receivers(configuration)
    var sent = send(5, .mqtt, by: receivers)
    #expect(await Helpers.wait { ids(helpers.lines("mqtt")).count == sent.count })
    // The broker.
    Helpers.end(broker)
    sent += send(5, .mqtt, by: receivers)
    _ = try await helpers.broker(port: port)
    // The network, while events are under way.
    sent += send(20, .mqtt, by: receivers)
    Helpers.end(network, by: SIGKILL)
    sent += send(5, .mqtt, by: receivers)
    network = try await helpers.network(from: front, to: port)
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    // The sender, with events that nobody has taken.
    Helpers.end(network, by: SIGKILL)
    sent += send(5, .mqtt, by: receivers)
    await receivers.stop()
    receivers = try self.receivers(configuration)
    sent += send(5, .mqtt, by: receivers)
    network = try await helpers.network(from: front, to: port)
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    #expect(await Helpers.wait { Set(ids(helpers.lines("mqtt"))).count == sent.count })
    await receivers.stop()
    // A message of its own comes after all others.
    let end = try helpers.start(
      "/usr/bin/mosquitto_pub",
      ["-p", "\(port)", "-q", "2", "-t", "home/living-room/events", "-m", "end"])
    end.waitForEnd()
    #expect(await Helpers.wait { helpers.lines("mqtt").last == "end" })
    #expect(ids(helpers.lines("mqtt")).sorted() == sent.sorted())
  }

  @Test(
    "with TLS, a broker of another authority is refused in one sentence, and the right one gets all",
    .enabled(if: Helpers.hasOpenSSL, "openssl is not installed"))
  func encrypted() async throws {
    let port = Helpers.freePort()
    let right = try helpers.certificate("right")
    let wrong = try helpers.certificate("wrong")
    let broker = try await helpers.broker(port: port, settings: wrong.settings)
    let both = helpers.folder.url("both.pem")
    try Data([right, wrong].flatMap { try Data(contentsOf: URL(filePath: $0.authority)) }).write(
      to: both)
    try helpers.subscribe(
      "kinema/living-room/events", port: port, output: "tls", options: ["--cafile", both.path])
    let messages = Mutex<[String]>([])
    let configuration = try configuration(
      #""mqtt": {"host": "localhost", "port": \#(port), "ca": "\#(right.authority)"}"#)
    #expect(configuration.broker?.usesTLS == true)
    let receivers = try receivers(configuration) { text in messages.withLock { $0.append(text) } }
    let sent = send(5, .mqtt, by: receivers)
    #expect(await Helpers.wait { !messages.withLock { $0 }.isEmpty })
    // Several attempts are one message.
    try await Task.sleep(for: .milliseconds(1500))
    #expect(
      messages.withLock { $0 } == [
        "The MQTT broker localhost:\(port) cannot be reached (certificate verify failed; check "
          + "“ca”, “host” and “port”): it is tried again."
      ])
    #expect(receivers.waitingCount == 5)
    Helpers.end(broker)
    _ = try await helpers.broker(port: port, settings: right.settings)
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    #expect(await Helpers.wait { ids(helpers.lines("tls")).count == sent.count })
    await receivers.stop()
    #expect(ids(helpers.lines("tls")).sorted() == sent.sorted())
    #expect(messages.withLock { $0 }.last == "The MQTT broker receives events again.")
  }

  @Test(
    "a webhook gets each event exactly once, signed: it fails, is gone, and the sender starts again"
  )
  func webhook() async throws {
    let port = Helpers.freePort()
    var server = try await helpers.webServer(port: port, failures: 3, output: "hook")
    let configuration = try configuration(
      #""webhook": {"url": "http://127.0.0.1:\#(port)/events", "secret": "key"}, "#
        + #""webhooks": {"nurse": {"url": "http://127.0.0.1:\#(port)/nurse", "secret": "key"}}"#)
    var receivers = try receivers(configuration)
    var sent = send(5, .webhook, by: receivers)
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    Helpers.end(server, by: SIGKILL)
    sent += send(5, .webhook, by: receivers)
    try await Task.sleep(for: .milliseconds(300))
    await receivers.stop()
    server = try await helpers.webServer(port: port, failures: 1, output: "hook")
    receivers = try self.receivers(configuration)
    sent += send(5, .webhook, by: receivers)
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    sent += send(2, .init("nurse"), by: receivers)
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    await receivers.stop()
    let lines = helpers.lines("hook")
    #expect(ids(lines) == sent)
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      #expect(
        parts[1]
          == WebhookSender.signature(of: Data(parts[2].utf8), at: parts[0], secret: "key"))
    }
  }

  @Test(
    "each event arrives exactly once though the network is cut, and is made again",
    .enabled(if: Namespace.isPossible, Namespace.reason))
  func namespace() async throws {
    let namespace = Namespace(helpers, number: 1)
    defer { namespace.remove() }
    try namespace.make()
    // Ports of a namespace are its own.
    let (port, webPort) = (1883, 8080)
    var processes = [
      try await helpers.broker(port: port, in: namespace),
      try await helpers.webServer(port: webPort, failures: 0, output: "hook", in: namespace),
    ]
    let topic = "kinema/living-room/events"
    try helpers.subscribe(topic, port: port, output: "first", in: namespace)
    let receivers = try receivers(
      configuration(
        #""mqtt": {"host": "\#(namespace.address)", "port": \#(port)}, "#
          + #""webhook": {"url": "http://\#(namespace.address):\#(webPort)/", "secret": "key"}"#))
    var (messages, posts) = (send(5, .mqtt, by: receivers), send(5, .webhook, by: receivers))
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    #expect(await Helpers.wait { ids(helpers.lines("first")).count == messages.count })
    // The link.
    try namespace.setLink("down")
    messages += send(5, .mqtt, by: receivers)
    posts += send(5, .webhook, by: receivers)
    try namespace.setLink("up")
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    #expect(await Helpers.wait { ids(helpers.lines("first")).count == messages.count })
    // The namespace, with all that is in it, while messages are under way.
    messages += send(5, .mqtt, by: receivers)
    for process in processes { Helpers.end(process) }
    namespace.remove()
    messages += send(5, .mqtt, by: receivers)
    posts += send(5, .webhook, by: receivers)
    try namespace.make()
    processes = [
      try await helpers.broker(port: port, in: namespace),
      try await helpers.webServer(port: webPort, failures: 0, output: "hook", in: namespace),
    ]
    try helpers.subscribe(topic, port: port, output: "second", isNew: false, in: namespace)
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    func arrived() -> [String] { ids(helpers.lines("first") + helpers.lines("second")) }
    #expect(await Helpers.wait { arrived().count >= messages.count })
    await receivers.stop()
    #expect(arrived().sorted() == messages.sorted())
    // Who answers while the namespace is away may refuse events, which then wait behind others.
    #expect(ids(helpers.lines("hook")).sorted() == posts.sorted())
    for process in processes { Helpers.end(process) }
  }
}

struct OutboxTests {
  @Test("messages come back in order after a restart, and the oldest make room")
  func order() throws {
    let folder = try TemporaryFolder()
    var limits = Outbox.Limits()
    limits.count = 3
    let outbox = try Outbox(folder.url("box"), limits: limits) { _ in }
    for text in ["a", "b", "c", "d"] { outbox.add(Data(text.utf8), id: UUID()) }
    let first = try #require(outbox.take())
    #expect(String(decoding: first.body, as: UTF8.self) == "b")
    let again = try Outbox(folder.url("box"), limits: limits) { _ in }
    #expect(again.count == 3)
    while let entry = again.take() { again.acknowledge(entry) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("box")).isEmpty)
  }

  @Test(
    "files that are no events of Kinema are left alone, with a report; events have numbers after")
  func foreignFiles() throws {
    let folder = try TemporaryFolder()
    _ = try Outbox(folder.url("box")) { _ in }
    let names = [
      "9223372036854775807-x.json", "9223372036854775808-x.json", "1000000000000-x.json",
      "-1-x.json", "x.json", "+-.json", "000000000007-x.json",
    ]
    for name in names { try Data(name.utf8).write(to: folder.url("box/\(name)")) }
    let messages = Mutex<[String]>([])
    let outbox = try Outbox(folder.url("box")) { text in messages.withLock { $0.append(text) } }
    outbox.add(Data("new".utf8), id: UUID())
    var bodies: [String] = []
    while let entry = outbox.take() {
      bodies.append(String(decoding: entry.body, as: UTF8.self))
      outbox.acknowledge(entry)
    }
    #expect(bodies == ["000000000007-x.json", "new"] && outbox.count == 0)
    #expect(messages.withLock { $0 }.count == names.count - 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("box")).count == 6)
  }

  @Test("an event that cannot be written is sent from memory")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let messages = Mutex<[String]>([])
    let outbox = try Outbox(folder.url("box")) { text in messages.withLock { $0.append(text) } }
    try FileManager.default.removeItem(at: folder.url("box"))
    outbox.add(Data("fall".utf8), id: UUID())
    #expect(messages.withLock { $0 }.count == 1 && outbox.count == 1)
    let entry = try #require(outbox.take())
    outbox.giveBack(entry, to: .refused)
    #expect(outbox.take() == nil)
    #expect(outbox.take(from: .refused)?.body == Data("fall".utf8))
    outbox.acknowledge(entry)
    #expect(outbox.count == 0)
  }

  @Test("the signature is the HMAC-SHA256 of RFC 4231, test case 2")
  func signature() {
    #expect(
      ContentHash.hmacSHA256(
        of: Data("what do ya want for nothing?".utf8), key: Data("Jefe".utf8))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }
}
