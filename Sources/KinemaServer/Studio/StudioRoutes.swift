import KinemaFiles
import KinemaStudio

/// A group of addresses under `/api/v1/studio/`.
package protocol StudioHandler: Sendable {
  /// The largest body of a request in bytes; `nil` where the address is not this handler's.
  func bodyLimit(for method: String, path: [String]) -> Int?

  /// Answers a request; `nil` where the address is not this handler's.
  ///
  /// - Parameter path: The parts of the path after `/api/v1/studio`, such as
  ///   `["projects", "golf", "items"]`.
  func response(to request: HTTPRequest, path: [String]) async throws -> HTTPResponse?
}

/// Everything under `/api/v1/studio/`: see `docs/studio-api.md`.
package struct StudioRoutes: Sendable {
  private static let prefix = ["api", "v1", "studio"]

  private let handlers: [any StudioHandler]

  package init(_ handlers: [any StudioHandler]) { self.handlers = handlers }

  package func bodyLimit(for method: String, path: String) -> Int? {
    guard let path = Self.path(path) else { return nil }
    return handlers.lazy.compactMap { $0.bodyLimit(for: method, path: path) }.first
  }

  /// Answers a request; `nil` where its path is not under `/api/v1/studio`.
  package func response(to request: HTTPRequest) async -> HTTPResponse? {
    guard let path = Self.path(request.path) else { return nil }
    do {
      for handler in handlers {
        guard var response = try await handler.response(to: request, path: path) else { continue }
        if response.headers["cache-control"] == nil {
          response.headers["cache-control"] = "no-store"
        }
        return response
      }
    } catch {
      return Self.failure(error)
    }
    return .nothing
  }

  private static func path(_ path: String) -> [String]? {
    let parts = path.split(separator: "/").map(String.init)
    return parts.starts(with: prefix) ? Array(parts.dropFirst(prefix.count)) : nil
  }

  private static func failure(_ error: any Error) -> HTTPResponse {
    guard let error = error as? StudioError else { return APIRoutes.failure(error) }
    let status =
      switch error.code {
      case .badRequest: 400
      case .notFound: 404
      case .conflict, .notExtracted: 409
      case .badFile: 422
      case .busy: 429
      case .storage: 503
      }
    let detail: JSONObject = [
      "code": error.code.rawValue, "message": error.message, "text": error.text,
    ]
    return .failure(status, message: error.message, detail: detail)
  }
}
