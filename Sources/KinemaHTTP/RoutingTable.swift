/// All addresses of an application: finds the handler of a request, refuses other methods with 405.
///
/// A path belongs to the first row that matches it, and to the rows of the same pattern.
package struct RoutingTable: Sendable {
  package let routes: [Route]

  package init(_ routes: [Route]) { self.routes = routes }

  /// The largest body of a request; `nil` where no row answers it, whatever its body.
  package func bodyLimit(for method: String, path: String) -> Int? {
    rows(at: path).first { $0.route.method == Self.served(method) }?.route.bodyLimit
  }

  /// Answers a request; `nil` where there is nothing at its path; throws what its handler throws.
  package func response(to request: HTTPRequest) async throws -> HTTPResponse? {
    let rows = rows(at: request.path)
    guard !rows.isEmpty else { return nil }
    guard let (route, values) = rows.first(where: { $0.route.method == request.method }) else {
      return .wrongMethod(request.method, allowed: rows.map(\.route.method))
    }
    return try await route.handler(request, values)
  }

  private func rows(at path: String) -> [(route: Route, values: PathValues)] {
    let parts = path.split(separator: "/")
    let matching = routes.lazy.compactMap { route in route.match(parts).map { (route, $0) } }
    guard let (first, values) = matching.first else { return [] }
    return routes.filter { $0.pattern == first.pattern }.map { ($0, values) }
  }

  /// The method with which a request reaches the application.
  private static func served(_ method: String) -> String { method == "HEAD" ? "GET" : method }
}
