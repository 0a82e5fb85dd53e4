import CCrypto
import Foundation

/// Who may use the server: decides from a request's head alone.
///
/// - The requested host must be one of the server's own names, so that a page whose name was pointed
///   at this machine (DNS rebinding) is refused.
/// - Whatever changes something, and every WebSocket, must come from the server's own pages where a
///   browser sends an origin.
/// - Where there is a token, it must be sent along.
struct AccessPolicy: Sendable {
  static let cookie = "kinema_token"

  /// The server's names and addresses, lower case, addresses of IPv6 without brackets.
  var hosts: Set<String>
  /// The token that clients must send; `nil` where none is needed.
  var token: String?
  /// Whether cookies are for TLS only.
  var isSecure: Bool

  /// The answer to a request that is refused, or that brings the token; `nil` where it is served.
  func answer(to head: RequestHead) -> HTTPResponse? {
    guard let host = head.headers["host"], let name = Self.name(in: host) else {
      return .failure(400, code: "badRequest", MessageText("noHost"))
    }
    guard hosts.contains(name) else {
      return .failure(421, code: "wrongHost", MessageText("wrongHost", ["host": name]))
    }
    if head.isUpgrade || !["GET", "HEAD"].contains(head.method),
      let origin = head.headers["origin"], Self.authority(in: origin) != host.lowercased()
    {
      return .failure(403, code: "wrongOrigin", MessageText("wrongOrigin"))
    }
    return answerAboutToken(head)
  }

  private func answerAboutToken(_ head: RequestHead) -> HTTPResponse? {
    guard let token, head.target.path != "/healthz" else { return nil }
    if bringsTokenInAddress(head) {
      guard !head.isUpgrade else { return nil }
      // The token leaves the address bar, and with it the browser's history.
      return HTTPResponse(
        status: 303,
        headers: [
          "location": "/", "cache-control": "no-store",
          "set-cookie": "\(Self.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : ""),
        ])
    }
    return holdsToken(head) ? nil : Self.unauthorized
  }

  /// Whether a request sends the token; `false` where there is none.
  func holdsToken(_ head: RequestHead) -> Bool {
    guard let token else { return false }
    if bringsTokenInAddress(head) { return true }
    return (Self.bearer(head) ?? Self.cookieValue(head)).map { Self.isEqual($0, token) } ?? false
  }

  private func bringsTokenInAddress(_ head: RequestHead) -> Bool {
    guard let token, let given = head.target.query["token"] else { return false }
    let mayBeInAddress = head.isUpgrade || (head.target.path == "/" && head.method == "GET")
    return mayBeInAddress && Self.isEqual(given, token)
  }

  private static var unauthorized: HTTPResponse {
    var response = HTTPResponse.failure(401, code: "unauthorized", MessageText("token"))
    response.headers["www-authenticate"] = "Bearer"
    return response
  }

  private static func bearer(_ head: RequestHead) -> String? {
    guard let value = head.headers["authorization"], value.lowercased().hasPrefix("bearer ") else {
      return nil
    }
    return value.dropFirst(7).trimmingCharacters(in: .besideValues)
  }

  private static func cookieValue(_ head: RequestHead) -> String? {
    for item in (head.headers["cookie"] ?? "").split(separator: ";") {
      let pair = item.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0].trimmingCharacters(in: .besideValues) == cookie {
        return pair[1].trimmingCharacters(in: .besideValues)
      }
    }
    return nil
  }

  /// Compares in a time that does not depend on how much of the token was right.
  static func isEqual(_ given: String, _ expected: String) -> Bool {
    given.utf8.count == expected.utf8.count
      && CRYPTO_memcmp(given, expected, expected.utf8.count) == 0
  }

  /// The name in `name`, `name:port` or `[address]:port`, in lower case; `nil` where it is malformed.
  static func name(in host: String) -> String? {
    var name = host.lowercased()[...]
    if let colon = name.lastIndex(of: ":"), !name.hasPrefix("[") || !name.hasSuffix("]") {
      let port = name[colon...].dropFirst().utf8
      guard port.count <= 5, port.allSatisfy(isDigit) else { return nil }
      name = name[..<colon]
    }
    let isAddress = name.hasPrefix("[") && name.hasSuffix("]")
    if isAddress { name = name.dropFirst().dropLast() }
    let others = isAddress ? ":." : "-._"
    let lastLetter = UInt8(ascii: isAddress ? "f" : "z")
    guard !name.isEmpty,
      name.utf8.allSatisfy({
        isDigit($0) || (97...lastLetter).contains($0) || others.utf8.contains($0)
      })
    else { return nil }
    return String(name.hasSuffix(".") ? name.dropLast() : name)
  }

  /// `host:port` of an origin as a browser writes it: a default port is left out, as in `Host`.
  private static func authority(in origin: String) -> String? {
    let origin = origin.lowercased()
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      return String(origin.dropFirst(scheme.count))
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
