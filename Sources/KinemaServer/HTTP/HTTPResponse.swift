package import Foundation

package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case data(Data)
    /// A file, sent piece by piece; ranges of it are answered with 206 and 416.
    case file(URL)
  }

  package var status: Int
  /// The headers by name; `content-length` and the security headers are added by the server.
  package var headers: [String: String]
  package var body: Body

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

  /// A failure as JSON: `{"error":{"code":…,"message":…}}`.
  package static func failure(_ status: Int, code: String, _ message: String) -> HTTPResponse {
    let failure = ["error": ["code": code, "message": message]]
    return (try? json(failure, status: status)) ?? text(message, status: status)
  }
}
