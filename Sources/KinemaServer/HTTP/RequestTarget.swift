import Foundation

/// What a request asks for: a path and a query, percent-decoded.
package struct RequestTarget: Sendable, Equatable {
  /// Begins with a slash; no empty, `.` or `..` component, no backslash, no control character.
  package var path: String
  /// The first value for each name.
  package var query: [String: String]

  /// Parses the origin form of RFC 9112 §3.2.1, `/path?query`.
  ///
  /// Decoding comes first, so that an encoded `..`, slash or NUL is judged like a plain one.
  init(_ bytes: some Collection<UInt8>) throws(RequestHead.Malformed) {
    guard bytes.first == UInt8(ascii: "/") else {
      throw RequestHead.Malformed(message: "The request's path does not begin with a slash.")
    }
    let parts = bytes.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let decoded = try Self.decoded(parts[0], of: "path")
    guard !decoded.contains(where: { $0 == "\\" || $0.value < 32 || $0.value == 127 }) else {
      throw RequestHead.Malformed(
        message: "The request's path has a backslash or a control character in it.")
    }
    let components = String(decoded).split(separator: "/")
    guard !components.contains(".."), !components.contains(".") else {
      throw RequestHead.Malformed(message: "The request's path has a . or .. in it.")
    }
    path = "/" + components.joined(separator: "/")
    query = [:]
    guard parts.count == 2 else { return }
    for item in parts[1].split(separator: UInt8(ascii: "&")) {
      let pair = item.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(try Self.decoded(pair[0], of: "query", plusIsSpace: true))
      let value =
        pair.count == 2 ? String(try Self.decoded(pair[1], of: "query", plusIsSpace: true)) : ""
      if query[name] == nil { query[name] = value }
    }
  }

  private static func decoded(
    _ bytes: some Collection<UInt8>, of part: String, plusIsSpace: Bool = false
  ) throws(RequestHead.Malformed) -> String.UnicodeScalarView {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit)
        else {
          throw RequestHead.Malformed(
            message: "The request's \(part) has a % without two hexadecimal digits after it.")
        }
        result.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
      case UInt8(ascii: "#"):
        throw RequestHead.Malformed(message: "The request's \(part) has a # in it.")
      default: result.append(byte)
      }
    }
    guard let text = String(validating: result, as: UTF8.self) else {
      throw RequestHead.Malformed(message: "The request's \(part) is not UTF-8.")
    }
    return text.unicodeScalars
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
