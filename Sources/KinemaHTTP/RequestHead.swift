import Foundation

extension CharacterSet {
  /// What may be beside values in headers (RFC 9110 §5.6.3): space and tab, and no others of Unicode.
  static let besideValues = CharacterSet(charactersIn: " \t")
}

/// The request line and the headers of an HTTP/1.1 request (RFC 9112).
///
/// Strict where leniency would be dangerous: line ends are CR LF, header names are tokens, values hold
/// no control characters, and a header that decides how a message is read appears once.
package struct RequestHead: Sendable, Equatable {
  /// What is wrong with a request, with the status to refuse it with.
  package struct Malformed: Error, Equatable {
    package var status = 400
    var code = "badRequest"
    var text: MessageText
  }

  static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
  /// How many header lines a request may have.
  static let maximumHeaderCount = 100

  package var method: String
  package var target: RequestTarget
  /// Whether the request is HTTP/1.1 rather than 1.0.
  package var isVersion11: Bool
  /// The headers by lower-case name; repeated ones joined by a comma.
  package var headers: [String: String]
  package var contentLength: Int

  /// Parses everything up to, and without, the empty line.
  package init(_ bytes: some Collection<UInt8>) throws(Malformed) {
    // CR LF is one character of Swift: either alone stays within its line, as a control character.
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: Character("\r\n"), omittingEmptySubsequences: false)
    guard !lines.contains(where: { $0.utf8.contains { ($0 < 32 && $0 != 9) || $0 == 127 } }) else {
      throw Malformed(text: MessageText("headCharacters"))
    }
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(words[2]) else {
      throw Malformed(text: MessageText("badRequestLine"))
    }
    isVersion11 = words[2] == "HTTP/1.1"
    method = String(words[0])
    guard Self.isToken(words[0]) else { throw Malformed(text: MessageText("badMethod")) }
    guard Self.methods.contains(method) else {
      throw Malformed(
        status: 405, code: "methodNotAllowed", text: MessageText("otherMethod", ["method": method]))
    }
    target = try RequestTarget(words[1])
    headers = try Self.headers(in: lines.dropFirst())
    contentLength = try Self.contentLength(headers)
  }

  /// Whether the connection stays open after the answer.
  package var keepsAlive: Bool {
    let options = list("connection")
    return isVersion11 ? !options.contains("close") : options.contains("keep-alive")
  }

  /// Whether the request wants to become a WebSocket.
  var isUpgrade: Bool {
    list("upgrade").contains("websocket") && list("connection").contains("upgrade")
  }

  /// The comma-separated values of a header, in lower case.
  func list(_ name: String) -> [String] {
    (headers[name] ?? "").lowercased().split(separator: ",")
      .map { $0.trimmingCharacters(in: .besideValues) }
  }

  private static func headers(in lines: ArraySlice<Substring>) throws(Malformed) -> [String: String]
  {
    guard lines.count <= maximumHeaderCount else {
      throw Malformed(
        status: 431, code: "headersTooLarge",
        text: MessageText("tooManyHeaders", ["limit": maximumHeaderCount]))
    }
    var headers: [String: String] = [:]
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, isToken(parts[0]) else {
        throw Malformed(text: MessageText("badHeader"))
      }
      let name = parts[0].lowercased()
      let value = parts[1].trimmingCharacters(in: .besideValues)
      guard let earlier = headers.updateValue(value, forKey: name) else { continue }
      guard !singular.contains(name) else {
        throw Malformed(text: MessageText("twoHeaders", ["name": name]))
      }
      headers[name] = earlier + (name == "cookie" ? "; " : ", ") + value
    }
    return headers
  }

  private static let singular: Set<String> = [
    "host", "content-length", "transfer-encoding", "authorization", "origin", "sec-websocket-key",
    "sec-websocket-version", "range",
  ]

  private static func contentLength(_ headers: [String: String]) throws(Malformed) -> Int {
    guard headers["transfer-encoding"] == nil else {
      throw Malformed(status: 411, code: "lengthRequired", text: MessageText("chunkedBody"))
    }
    guard let text = headers["content-length"] else { return 0 }
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), text.utf8.count <= 15,
      let length = Int(text)
    else { throw Malformed(text: MessageText("badLength")) }
    return length
  }

  /// Whether a text may be a method or a header's name (RFC 9110 §5.6.2).
  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
