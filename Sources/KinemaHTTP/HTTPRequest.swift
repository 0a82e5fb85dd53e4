package import Foundation

package struct HTTPRequest: Sendable {
  /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`; a `HEAD` request reaches the application as `GET`.
  package var method: String
  /// The path without the query, percent-decoded; begins with a slash and has no `..` in it, no empty
  /// component and no slash at its end.
  package var path: String
  /// The query's first value for each name, percent-decoded.
  package var query: [String: String]
  /// The headers by their lower-case names.
  package var headers: [String: String]
  /// The body; within the limit that ``WebApplication/bodyLimit(for:path:)`` sets.
  package var body: Data

  package init(
    method: String = "GET", path: String, query: [String: String] = [:],
    headers: [String: String] = [:], body: Data = Data()
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}
