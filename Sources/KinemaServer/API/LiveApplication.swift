package import KinemaHTTP

/// The live app: its pages, the interface under `/api/v1/`, the WebSocket, health and metrics.
package struct LiveApplication: WebApplication {
  package static let webSocketPath = "/api/v1/live"

  package let webSocketSubprotocol = "kinema.live.v1"

  private let table: RoutingTable
  private let page: @Sendable (_ path: String) -> HTTPResponse?
  private let serve: @Sendable (any WebSocket, HTTPRequest) async -> Void

  /// Puts the parts together; `page` gives `nil` where there is none.
  package init(
    routes: [Route],
    page: @escaping @Sendable (_ path: String) -> HTTPResponse?,
    metrics: @escaping @Sendable () async -> String,
    serve: @escaping @Sendable (any WebSocket, HTTPRequest) async -> Void
  ) {
    let own = [
      Route("GET", "/healthz") { _, _ in
        .text(#"{"status":"ok"}"#, type: "application/json; charset=utf-8")
      },
      Route("GET", "/reported.js") { _, _ in
        .text(try WebResources.reported(), type: "text/javascript; charset=utf-8")
      },
      Route("GET", "/metrics") { _, _ in
        .text(await metrics(), type: "text/plain; version=0.0.4; charset=utf-8")
      },
    ]
    table = RoutingTable(own + routes)
    self.page = page
    self.serve = serve
  }

  package func bodyLimit(for method: String, path: String) -> Int? {
    table.bodyLimit(for: method, path: path)
  }

  package func response(to request: HTTPRequest) async -> HTTPResponse {
    do {
      guard var response = try await table.response(to: request) else {
        guard let page = page(request.path) else { return .nothing }
        return request.method == "GET" ? page : .wrongMethod(request.method, allowed: ["GET"])
      }
      if request.path.hasPrefix("/api/"), response.headers["cache-control"] == nil {
        response.headers["cache-control"] = "no-store"
      }
      return response
    } catch {
      return HTTPResponse(error)
    }
  }

  package func refusal(ofWebSocketAt request: HTTPRequest) async -> HTTPResponse? {
    guard request.path == Self.webSocketPath else {
      return .failure(
        404, code: "notFound", MessageText("noWebSocket", ["path": Self.webSocketPath]))
    }
    return nil
  }

  package func serve(_ socket: any WebSocket, request: HTTPRequest) async {
    await serve(socket, request)
  }
}
