package import KinemaHTTP
package import KinemaWatch

/// Serves the metrics of a ``KinemaWatch/Watcher``, and nothing else.
package struct MetricsApplication: WebApplication {
  package let webSocketSubprotocol = ""
  private let table: RoutingTable

  package init(_ watcher: Watcher) {
    table = RoutingTable([
      Route("GET", "/metrics") { _, _ in
        .text(WatchMetrics.text(of: watcher), type: "text/plain; version=0.0.4; charset=utf-8")
      }
    ])
  }

  package func bodyLimit(for method: String, path: String) -> Int? {
    table.bodyLimit(for: method, path: path)
  }

  package func response(to request: HTTPRequest) async -> HTTPResponse {
    do {
      return try await table.response(to: request) ?? .nothing
    } catch {
      return HTTPResponse(error)
    }
  }

  package func refusal(ofWebSocketAt request: HTTPRequest) async -> HTTPResponse? { .nothing }

  package func serve(_ socket: any WebSocket, request: HTTPRequest) async {}
}
