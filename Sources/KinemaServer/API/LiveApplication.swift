/// The live app: its pages, the interface under `/api/v1/`, the WebSocket, health and metrics.
package struct LiveApplication: WebApplication {
  package static let webSocketPath = "/api/v1/live"

  private let routes: APIRoutes
  private let studio: StudioRoutes
  private let page: @Sendable (_ path: String) -> HTTPResponse?
  private let metrics: @Sendable () async -> String
  private let serve: @Sendable (any WebSocket, HTTPRequest) async -> Void

  /// Puts the parts together; `page` gives `nil` where there is none.
  package init(
    routes: APIRoutes,
    studio: StudioRoutes,
    page: @escaping @Sendable (_ path: String) -> HTTPResponse?,
    metrics: @escaping @Sendable () async -> String,
    serve: @escaping @Sendable (any WebSocket, HTTPRequest) async -> Void
  ) {
    self.routes = routes
    self.studio = studio
    self.page = page
    self.metrics = metrics
    self.serve = serve
  }

  package func bodyLimit(for method: String, path: String) -> Int {
    studio.bodyLimit(for: method, path: path) ?? routes.bodyLimit(for: method, path: path)
  }

  package func response(to request: HTTPRequest) async -> HTTPResponse {
    if let response = await studio.response(to: request) { return response }
    if let response = await routes.response(to: request) { return response }
    guard ["GET", "HEAD"].contains(request.method) else {
      var response = HTTPResponse.failure(
        405, code: "methodNotAllowed", "\(request.method) is not possible here: use GET.")
      response.headers["allow"] = "GET, HEAD"
      return response
    }
    switch request.path {
    case "/healthz":
      return .text(#"{"status":"ok"}"#, type: "application/json; charset=utf-8")
    case "/metrics":
      return .text(await metrics(), type: "text/plain; version=0.0.4; charset=utf-8")
    default:
      return page(request.path) ?? .nothing
    }
  }

  package func refusal(ofWebSocketAt request: HTTPRequest) async -> HTTPResponse? {
    guard request.path == Self.webSocketPath else {
      return .failure(
        404, code: "notFound", "There is no WebSocket here: use \(Self.webSocketPath).")
    }
    return nil
  }

  package func serve(_ socket: any WebSocket, request: HTTPRequest) async {
    await serve(socket, request)
  }
}
