import Foundation
import Glibc

/// An answer ready to be sent: its head in bytes, and where its body comes from.
///
/// Adds the length, the security headers, validators and ranges (RFC 9110 §13 and §14).
struct PreparedResponse {
  enum Body {
    case data(Data)
    case file(OpenFile, Range<Int>)
    case stream(ResponseStream)
  }

  let head: Data
  let body: Body
  /// Whether another request may follow.
  let keepsAlive: Bool

  /// Prepares an answer; the request is `nil` where it could not be read.
  init(_ response: HTTPResponse, to request: RequestHead?, keepsAlive: Bool) {
    var response = response
    var file: OpenFile?
    if case .file(let url) = response.body {
      file = OpenFile(url)
      if file == nil {
        response = .failure(404, code: "notFound", MessageText("nothingHere"))
      }
    }
    if request?.headers["accept"]?.contains("text/html") == true { response = response.asPage }
    var status = response.status
    var headers = Dictionary(
      response.headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    var body = Body.data(Data())
    if let file {
      body = .file(file, 0..<file.size)
      headers.merge(Self.headers(of: file)) { given, _ in given }
    } else {
      switch response.body {
      case .data(let data): body = .data(data)
      case .stream(let stream): body = .stream(stream)
      case .file: break
      }
    }
    let tag = headers["etag"]
    if status == 200, let tag, Self.isUnchanged(tag, request) {
      (status, body) = (304, .data(Data()))
    } else if status == 200, let file, let wanted = request?.headers["range"],
      request?.headers["if-range"].map({ $0 == tag }) ?? true
    {
      switch ByteRange.parse(wanted, size: file.size) {
      case .ignored: break
      case .range(let range):
        (status, body) = (206, .file(file, range))
        headers["content-range"] =
          "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
      case .unsatisfiable:
        (status, body) = (416, .data(Data()))
        headers["content-range"] = "bytes */\(file.size)"
        headers["content-type"] = nil
      }
    }
    if status != 304, status != 204 { headers["content-length"] = body.count.map(String.init) }
    // The end of a stream is that of its connection.
    self.keepsAlive = keepsAlive && body.count != nil
    headers["connection"] = self.keepsAlive ? "keep-alive" : "close"
    headers["date"] = HTTPDate.text(for: time(nil))
    headers["cache-control"] = headers["cache-control"] ?? "no-store"
    headers.merge(Self.securityHeaders(for: request)) { given, _ in given }
    head = Self.encoded(status: status, headers: headers)
    self.body = request?.method == "HEAD" ? .data(Data()) : body
  }

  private static func headers(of file: OpenFile) -> [String: String] {
    [
      "etag": file.tag, "accept-ranges": "bytes", "cache-control": "no-cache",
      "last-modified": HTTPDate.text(for: file.modified),
    ]
  }

  /// Whether the client has what the tag stands for.
  private static func isUnchanged(_ tag: String, _ request: RequestHead?) -> Bool {
    guard let request, ["GET", "HEAD"].contains(request.method),
      let known = request.headers["if-none-match"]
    else { return false }
    return known.split(separator: ",").contains {
      ["*", tag, "W/" + tag].contains($0.trimmingCharacters(in: .besideValues))
    }
  }

  /// What every answer carries so that a page cannot be made to do what it was not written for.
  static func securityHeaders(for request: RequestHead?) -> [String: String] {
    var connections = "'self'"
    // Older Safari does not count WebSockets of the same host as 'self'.
    if let host = request?.headers["host"], AccessPolicy.name(in: host) != nil {
      connections += " ws://\(host) wss://\(host)"
    }
    return [
      "content-security-policy": "default-src 'self'; connect-src \(connections); "
        + "img-src 'self' blob: data:; media-src 'self' blob:; style-src 'self'; "
        + "script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
        + "form-action 'self'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "permissions-policy": "camera=(self), microphone=()",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    ]
  }

  private static func encoded(status: Int, headers: [String: String]) -> Data {
    var text = "HTTP/1.1 \(status) \(reasons[status] ?? "Status")\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      // A line break in a value would begin a header of its own.
      let value = value.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
      text += name + ": " + String(String.UnicodeScalarView(value)) + "\r\n"
    }
    return Data((text + "\r\n").utf8)
  }

  private static let reasons = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
    413: "Content Too Large", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
    421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
    429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    507: "Insufficient Storage",
  ]
}

extension PreparedResponse.Body {
  /// In bytes; `nil` of a stream.
  fileprivate var count: Int? {
    switch self {
    case .data(let data): data.count
    case .file(_, let range): range.count
    case .stream: nil
    }
  }
}
