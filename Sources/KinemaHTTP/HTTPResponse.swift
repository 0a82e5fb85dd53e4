package import Foundation
package import KinemaFiles

package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case data(Data)
    /// A file, sent piece by piece; ranges of it are answered with 206 and 416.
    case file(URL)
    /// Parts that are sent as they come; then the connection is closed.
    case stream(ResponseStream)
  }

  package var status: Int
  /// The headers by name; `content-length` and the security headers are added by the server.
  package var headers: [String: String]
  package var body: Body
  /// The reason of a failure, as a sentence; `nil` for other responses.
  private(set) var reason: String?

  package init(status: Int = 200, headers: [String: String] = [:], body: Body = .data(Data())) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package static func text(
    _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["content-type": type], body: .data(Data(text.utf8)))
  }

  /// A value as JSON, keys sorted.
  package static func json(_ value: some Encodable, status: Int = 200) throws -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return HTTPResponse(
      status: status, headers: ["content-type": "application/json; charset=utf-8"],
      body: .data(try encoder.encode(value)))
  }

  /// A failure as JSON: `{"error":{"code":…,"message":…,"text":…}}`; `text` is what the message says
  /// by name, where a page may meet it.
  package static func failure(
    _ status: Int, code: String, _ reason: some Reported
  ) -> HTTPResponse {
    failure(
      status, message: reason.message,
      detail: ["code": code, "message": reason.message, "text": reason.text])
  }

  /// There is nothing at an address.
  package static let nothing = failure(404, code: "notFound", MessageText("nothingHere"))

  /// A method that an address does not have.
  package static func wrongMethod(_ method: String, allowed: [String]) -> HTTPResponse {
    let methods = allowed.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
      .joined(separator: ", ")
    var response = failure(
      405, code: "methodNotAllowed",
      MessageText("wrongMethod", ["method": method, "methods": methods]))
    response.headers["allow"] = methods
    return response
  }

  /// A failure with more than its code and message.
  package static func failure(_ status: Int, message: String, detail: JSONObject) -> HTTPResponse {
    var response =
      (try? json(["error": detail], status: status)) ?? text(message, status: status)
    response.reason = message
    return response
  }

  /// A failure as a page, for a person who opens an address in a browser; others as they are.
  var asPage: HTTPResponse {
    guard let reason else { return self }
    let text = [("&", "&amp;"), ("<", "&lt;")].reduce(reason) { text, pair in
      text.replacingOccurrences(of: pair.0, with: pair.1)
    }
    let title = status == 401 ? "This page needs its token" : "This page cannot be shown"
    var page = Self.text(
      """
      <!doctype html><html lang="en"><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="dark light">
      <title>Kinema</title>
      <style>main { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; line-height: 1.5;
      font-family: system-ui, sans-serif; } p { font-size: 1.15rem; }</style>
      <main><h1>\(title)</h1><p>\(text)</p></main></html>
      """, status: status, type: "text/html; charset=utf-8")
    page.headers.merge(headers) { page, _ in page }
    page.headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return page
  }
}
