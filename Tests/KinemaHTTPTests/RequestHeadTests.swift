import Foundation
import KinemaHTTP
import Testing

@Suite("The heads of requests")
struct RequestHeadTests {
  private func parse(_ text: String) throws -> RequestHead { try RequestHead(Array(text.utf8)) }

  private func status(of text: String) -> Int? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return (error as? RequestHead.Malformed)?.status
    }
  }

  @Test("path, query and headers are decoded")
  func wellFormed() throws {
    let head = try parse(
      "POST /a%20b//c?x=1&y=a+b%26&x=2&z HTTP/1.1\r\nHost: localhost\r\nAccept: a\r\nACCEPT: b\r\n"
        + "Content-Length: 12")
    #expect(head.method == "POST")
    #expect(head.target.path == "/a b/c")
    #expect(head.target.query == ["x": "1", "y": "a b&", "z": ""])
    #expect(head.headers["accept"] == "a, b")
    #expect(head.contentLength == 12)
    #expect(head.keepsAlive)
  }

  @Test(
    "paths that leave the folder or are malformed are refused",
    arguments: [
      "/../etc/passwd", "/a/../../b", "/%2e%2e/x", "/a/%2E%2e%2fb", "/..%2f", "/a/../%cc%81b",
      "/a/./b", "/a%00b",
      "/a%5cb", "/a\\b", "/%zz", "/%4", "/%", "/%ff%fe", "relative", "http://localhost/", "*",
      "/a%0d%0ab", "/a#b", "/?a=%zz",
    ])
  func badPath(_ path: String) {
    #expect(status(of: "GET \(path) HTTP/1.1\r\nHost: localhost") == 400)
  }

  @Test(
    "malformed requests are refused",
    arguments: [
      ("", 400), ("GET /", 400), ("GET / HTTP/2.0", 400), ("GET  / HTTP/1.1", 400),
      ("G<T / HTTP/1.1", 400), ("GET / HTTP/1.1\nHost: a", 400),
      ("GET / HTTP/1.1\r\nHost : a", 400), ("GET / HTTP/1.1\r\n Host: a", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nHost: b", 400), ("GET / HTTP/1.1\r\nno colon", 400),
      ("GET / HTTP/1.1\r\nA: b\u{1}c", 400), ("GET / HTTP/1.1\r\nContent-Length: -1", 400),
      ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2", 400),
      ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", 411), ("BREW / HTTP/1.1", 405),
      ("OPTIONS / HTTP/1.1", 405), ("CONNECT a:1 HTTP/1.1", 405),
    ])
  func malformed(_ text: String, _ expected: Int) {
    #expect(status(of: text) == expected)
  }

  @Test("too many headers are refused")
  func manyHeaders() {
    let lines = (0..<200).map { "A\($0): b" }.joined(separator: "\r\n")
    #expect(status(of: "GET / HTTP/1.1\r\n" + lines) == 431)
  }

  @Test("arbitrary input is refused or parsed")
  func anything() {
    var generator = SystemRandomNumberGenerator()
    let parts = [
      "GET", " ", "/", "%2e", "..", "HTTP/1.1", "\r\n", ":", "Host", "\0", "é", "?", "&",
    ]
    for _ in 0..<2000 {
      let count = Int.random(in: 0..<20, using: &generator)
      let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      if let head = try? parse(text) {
        #expect(!head.target.path.contains(".."))
      }
    }
  }

  @Test(
    "ranges of bytes",
    arguments: [
      ("bytes=0-3", ByteRange.range(0..<4)), ("bytes=5-", .range(5..<10)),
      ("bytes=-3", .range(7..<10)), ("bytes=-30", .range(0..<10)), ("bytes=8-99", .range(8..<10)),
      ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=4-3", .ignored),
      ("bytes=0-1,3-4", .ignored), ("lines=0-3", .ignored), ("bytes=a-b", .ignored),
      ("bytes=99999999999999999999-", .ignored), ("bytes=", .ignored), ("bytes=-", .ignored),
    ])
  func ranges(_ text: String, _ expected: ByteRange) {
    #expect(ByteRange.parse(text, size: 10) == expected)
  }

  @Test("dates have the format of HTTP")
  func dates() {
    #expect(HTTPDate.text(for: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test(
    "only space and tab around a header's value are left out",
    arguments: ["\u{a0}", "\u{2003}", "\u{3000}", "\u{feff}"])
  func otherWhitespace(space: String) throws {
    let head = "POST / HTTP/1.1\r\nHost: \t localhost \t\r\nContent-Length: "
    #expect(try parse(head + " 5\t").headers["host"] == "localhost")
    #expect(throws: RequestHead.Malformed.self) { try parse(head + space + "5") }
    #expect(throws: RequestHead.Malformed.self) { try parse(head + "5" + space) }
    let other = try parse("GET / HTTP/1.1\r\nHost: \(space)localhost\r\nConnection: close\(space)")
    #expect(other.headers["host"] == space + "localhost" && other.keepsAlive)
  }
}
