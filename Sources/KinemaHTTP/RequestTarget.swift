import Foundation

/// What a request asks for: a path and a query, percent-decoded.
package struct RequestTarget: Sendable, Equatable {
  /// Begins with a slash; no empty, `.` or `..` component, no backslash, no control character.
  package var path: String
  package var query: [String: String] = [:]

  /// Parses the origin form of RFC 9112 §3.2.1, `/path?query`.
  ///
  /// Decoding comes first, so that an encoded `..`, slash or NUL is treated like a plain one.
  init(_ text: Substring) throws(RequestHead.Malformed) {
    guard text.hasPrefix("/"), !text.contains("#") else {
      throw RequestHead.Malformed(text: MessageText("badPath"))
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let decoded = try Self.decoded(parts[0], of: "path")
    guard !decoded.utf8.contains(where: { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "\\") }) else {
      throw RequestHead.Malformed(text: MessageText("pathCharacters"))
    }
    // By bytes: a slash that a combining mark follows is another character of Swift.
    let components = decoded.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard !components.contains(".."), !components.contains(".") else {
      throw RequestHead.Malformed(text: MessageText("pathDots"))
    }
    path = "/" + components.joined(separator: "/")
    for item in parts.dropFirst().joined().split(separator: "&") {
      let pair = item.replacing("+", with: " ")
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decoded(pair[0], of: "query")
      let value = pair.count == 2 ? try Self.decoded(pair[1], of: "query") : ""
      if query[name] == nil { query[name] = value }
    }
  }

  private static func decoded(
    _ text: Substring, of part: String
  ) throws(RequestHead.Malformed) -> String {
    guard let decoded = String(text).removingPercentEncoding else {
      throw RequestHead.Malformed(text: MessageText("badPercent", ["part": part]))
    }
    return decoded
  }
}
