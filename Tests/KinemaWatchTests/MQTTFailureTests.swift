import Foundation
import KinemaTestSupport
import KinemaWatch
import Synchronization
import Testing

/// Brokers that send what nobody has asked for, never acknowledge, or cut connections.
@Suite(.enabled(if: Helpers.hasPython, "python3 is not installed"))
struct MQTTFailureTests {
  private let helpers: Helpers
  private let port = Helpers.freePort()

  init() throws { helpers = try Helpers() }

  /// Python: a broker whose first connections that keep their session fail in one way; each connection
  /// and each event that it completes is a line of a file.
  private func broker(_ way: String, failures: Int) async throws {
    _ = try helpers.python(
      """
      import socket, struct, threading
      way, failures, lock = "\(way)", \(failures), threading.Lock()
      def write(file, text):
          with lock, open("\(helpers.folder.url.path)/" + file, "a") as file: file.write(text + "\\n")
      def take(c, count):
          data = b""
          while len(data) < count: data += c.recv(count - len(data)) or (_ for _ in ()).throw(OSError())
          return data
      def packet(c):
          head, count, factor = take(c, 1)[0], 0, 1
          while True:
              byte = take(c, 1)[0]; count += (byte & 127) * factor; factor *= 128
              if byte < 128: return head, take(c, count)
      def serve(c):
          global failures
          events, sent, isBad = {}, 0, False
          try:
              _, body = packet(c)
              c.sendall(b"\\x20\\x02\\0\\0")
              if not body[7] & 2:
                  isBad = failures > 0; failures -= 1
                  if isBad and way == "flood":
                      for number in range(1, 500):
                          size, text = 5 + 1_000_000, b""
                          while size: text += bytes([size % 128 | (128 if size > 127 else 0)]); size //= 128
                          c.sendall(b"\\x34" + text + b"\\0\\x01a" + struct.pack(">H", number) + b"x" * 1_000_000)
                          sent += 1
              while True:
                  head, body = packet(c)
                  kind, quality = head >> 4, head >> 1 & 3
                  if kind == 12: c.sendall(b"\\xd0\\0")
                  if isBad and way == "silence": continue
                  if kind == 3:
                      place = 2 + struct.unpack(">H", body[:2])[0]
                      number = body[place:place + 2]
                      if isBad and way == "cut" and quality == 2: return
                      c.sendall((b"\\x50" if quality == 2 else b"\\x40") + b"\\x02" + number)
                      if quality == 2: events[number] = body[place + 2:]
                  if kind == 6:
                      c.sendall(b"\\x70\\x02" + body)
                      if body in events: write("events", events.pop(body).decode())
          except OSError: pass
          finally:
              write("connections", "%d" % sent)
              c.close()
      server = socket.socket()
      server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      server.bind(("127.0.0.1", \(port))); server.listen()
      while True: threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
      """)
    try #require(await Helpers.wait { Helpers.isOpen(port) })
  }

  /// Sends an event, and gives what is reported until the broker has it.
  private func messages() async throws -> [String] {
    let messages = Mutex<[String]>([])
    let text =
      #"{"sources": [{"name": "A", "address": "pattern:testsrc2"}], "#
      + #""mqtt": {"host": "127.0.0.1", "port": \#(port)}}"#
    let receivers = try Receivers(
      WatchConfiguration(Data(text.utf8), name: "watch.json"), folder: helpers.folder.url("box")
    ) { text in messages.withLock { $0.append(text) } }
    receivers.send(Announcement(WatchEvent(.fall, at: 1), of: "A"), to: [.mqtt])
    #expect(await Helpers.wait { receivers.waitingCount == 0 })
    await receivers.stop()
    #expect(helpers.lines("events").count == 1)
    return messages.withLock { $0 }
  }

  private func failure(_ reason: String) -> [String] {
    [
      "The MQTT broker 127.0.0.1:\(port) cannot be reached (\(reason)): it is tried again.",
      "The MQTT broker receives events again.",
    ]
  }

  @Test("a broker that sends messages is left before they fill the memory")
  func flood() async throws {
    try await broker("flood", failures: 1)
    #expect(try await messages() == failure("it sends messages that nobody has asked for"))
    // What the systems on both sides keep of 500 messages.
    let most = helpers.lines("connections").compactMap { Int($0) }.max() ?? 0
    #expect((0...30).contains(most))
  }

  @Test("a broker that acknowledges nothing, and answers pings, is reported and tried again")
  func silence() async throws {
    try await broker("silence", failures: 1)
    #expect(try await messages() == failure("no answer"))
  }

  @Test("a broker that cuts the connection at each event is reported once, not each time")
  func cut() async throws {
    try await broker("cut", failures: 4)
    #expect(try await messages().count == 2)
    #expect(helpers.lines("connections").count >= 4)
  }

  @Test("every code of libmosquitto has words")
  func words() {
    for code in Int32(-10)...200 {
      let words = MQTTHandle.words(for: code)
      #expect(
        !words.isEmpty && !words.contains("Unknown error") && !words.hasSuffix("."), "\(code)")
    }
  }
}

struct OutageReportTests {
  @Test("a receiver that fails again and again is reported less and less")
  func flapping() {
    var outage = OutageReport()
    let start = ContinuousClock.now
    var failures = 0
    var returns = 0
    for second in 0..<86_400 {
      if outage.failed(at: start + .seconds(second)) { failures += 1 }
      if outage.received() { returns += 1 }
    }
    #expect((20...40).contains(failures) && returns == failures)
    let later = [100_000, 200_000].map { outage.failed(at: start + .seconds($0)) }
    let ends = [outage.received(), outage.received()]
    #expect(later == [true, false] && ends == [true, false])
  }
}
