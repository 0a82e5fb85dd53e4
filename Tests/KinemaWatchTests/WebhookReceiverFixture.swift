import Foundation
import KinemaWatch
import Testing

/// A web server that answers in many ways, most of which acknowledge nothing.
enum WebhookReceiver {
  /// What an answer means.
  enum Meaning: Hashable, Sendable {
    case acknowledged
    case status(Int)
    case noAnswer(containing: String)
  }

  struct Answer: Sendable, CustomStringConvertible {
    /// The path that is answered so, and what tests call it.
    let description: String
    /// The bytes of the answer, as Python reads them; `None` for silence.
    let bytes: String
    let meaning: Meaning
  }

  static let answers: [Answer] = acknowledging + others

  private static let acknowledging =
    [
      ("200", "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok"),
      ("204", "HTTP/1.1 204 No Content\\r\\n\\r\\n"),
      ("299-1.0-without-words", "HTTP/1.0 299\\r\\n\\r\\n"),
      ("continue-first", "HTTP/1.1 100 Continue\\r\\n\\r\\nHTTP/1.1 202 Accepted\\r\\n\\r\\n"),
      (
        "chunked-with-trailer",
        "HTTP/1.1 201 Created\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nok\\r\\n0\\r\\nHTTP/1.1 500 X: y\\r\\n\\r\\n"
      ),
      ("body-cut", "HTTP/1.1 200 OK\\r\\nContent-Length: 9999\\r\\n\\r\\nok"),
    ].map { Answer(description: $0.0, bytes: "b'\($0.1)'", meaning: .acknowledged) } + [
      Answer(
        description: "body-without-end", bytes: "b'HTTP/1.1 200 OK\\r\\n\\r\\n' + b'x' * (8 << 20)",
        meaning: .acknowledged)
    ]

  private static let others = statuses + redirections + noHTTP + cutOff

  private static let statuses: [Answer] =
    [199, 101, 300, 303, 304, 400, 401, 404, 408, 413, 429, 500, 503, 600, 999].map { status in
      Answer(
        description: "\(status)",
        bytes: "b'HTTP/1.1 \(status) X\\r\\nContent-Length: 0\\r\\n\\r\\n'",
        meaning: status < 200 ? .noAnswer(containing: "without an answer") : .status(status))
    }

  private static let redirections: [Answer] =
    [301, 302, 307, 308].flatMap { status in
      ["/elsewhere", "http://127.0.0.2:PORT/elsewhere", "file:///etc/hosts"].enumerated().map {
        index, place in
        Answer(
          description: "\(status)-\(index)",
          bytes:
            "b'HTTP/1.1 \(status) X\\r\\nLocation: \(place)\\r\\nContent-Length: 0\\r\\n\\r\\n'",
          meaning: .status(status))
      }
    }

  private static let noHTTP: [Answer] =
    [
      ("words", "b'hello\\r\\n\\r\\n'"), ("login-page", "b'<html>200 OK</html>'"),
      ("icecast", "b'ICY 200 OK\\r\\n\\r\\n'"), ("rtsp", "b'RTSP/1.0 200 OK\\r\\n\\r\\n'"),
      ("http2", "b'HTTP/2 200\\r\\n\\r\\n'"), ("http3.1", "b'HTTP/3.1 200 OK\\r\\n\\r\\n'"),
      ("two-digits", "b'HTTP/1.1 20 OK\\r\\n\\r\\n'"),
      ("four-digits", "b'HTTP/1.1 2000 OK\\r\\n\\r\\n'"),
      ("negative", "b'HTTP/1.1 -200 OK\\r\\n\\r\\n'"), ("bytes", "bytes(range(256)) * 64"),
      ("ssh", "b'SSH-2.0-OpenSSH_9.2\\r\\n'"),
    ].map { name, bytes in
      Answer(description: name, bytes: bytes, meaning: .noAnswer(containing: "not HTTP"))
    }

  private static let cutOff: [Answer] =
    [
      ("nothing", "b''"), ("half-a-head", "b'HTTP/1.1 200 OK\\r\\nContent-Le'"),
      ("status-line-only", "b'HTTP/1.1 200 OK\\r\\n'"),
    ].map { name, bytes in
      Answer(description: name, bytes: bytes, meaning: .noAnswer(containing: "closed"))
    }
    + [
      Answer(
        description: "head-without-end",
        bytes: "b'HTTP/1.1 200 OK\\r\\n' + b'X: y\\r\\n' * 100000",
        meaning: .noAnswer(containing: "")),
      Answer(
        description: "only-announcements", bytes: "b'HTTP/1.1 100 Continue\\r\\n\\r\\n' * 20000",
        meaning: .noAnswer(containing: "")),
      Answer(description: "silence", bytes: "None", meaning: .noAnswer(containing: "no answer in")),
      Answer(description: "reset", bytes: "'reset'", meaning: .noAnswer(containing: "")),
    ]

  /// Python: answers a path as its name says, and `/random` in any way or by being away for a moment;
  /// the ids that it acknowledges there are lines of a file, and so are the requests for `/elsewhere`.
  static func program(port: Int, acknowledged: String, elsewhere: String, seed: Int) -> String {
    let answers = answers.map { answer in
      "('\(answer.description)', \(answer.bytes), \(answer.meaning == .acknowledged ? "True" : "False"))"
    }.joined(separator: ",\n  ").replacingOccurrences(of: "PORT", with: "\(port)")
    return """
      import random, re, socket, struct, threading, time
      answers = [
        \(answers)]
      chance, lock = random.Random(\(seed)), threading.Lock()
      def listen():
          server = socket.socket()
          server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
          # Meanwhile a connection of somebody else may have the port.
          while True:
              try: server.bind(("", \(port))); server.listen(64); return server
              except OSError: time.sleep(0.1)
      def write(file, text):
          with lock, open(file, "a") as file: file.write(text + "\\n")
      def take(c):
          data = b""
          while b"\\r\\n\\r\\n" not in data: data += c.recv(65536) or (_ for _ in ()).throw(OSError())
          head, body = data.split(b"\\r\\n\\r\\n", 1)
          count = int(re.search(rb"content-length: (\\d+)", head, re.I)[1])
          while len(body) < count: body += c.recv(65536) or (_ for _ in ()).throw(OSError())
          return head.split()[1].decode().strip("/"), body
      def serve(c):
          global away
          try:
              c.settimeout(10)
              path, body = take(c)
              if path == "elsewhere":
                  write("\(elsewhere)", "x")
                  return c.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
              if path == "random":
                  with lock: kind = chance.randrange(len(answers) + 12); away = kind == len(answers)
                  if away: return
                  # A quarter of the answers acknowledge.
                  name, answer, isGood = answers[kind] if kind < len(answers) else answers[kind % 6]
              else:
                  name, answer, isGood = next(x for x in answers if x[0] == path)
              if answer is None: return time.sleep(3)
              if answer == "reset":
                  return c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
              if isGood and path == "random":
                  write("\(acknowledged)", re.search(rb'"id":"([-0-9a-f]+)"', body)[1].decode())
              c.sendall(answer)
          except OSError: pass
          finally: c.close()
      away, server = False, listen()
      while True:
          if away: server.close(); time.sleep(0.1); server = listen(); away = False
          c, _ = server.accept()
          threading.Thread(target=serve, args=(c,), daemon=True).start()
      """
  }
}
