import Foundation
import KinemaHTTP
import KinemaTestSupport

extension StudioFixture {
  /// Serves the routes on loopback while `body` runs, on a thread of its own; gives it the address.
  func serve<Result: Sendable>(
    _ body: @escaping @Sendable (URL) throws -> Result
  ) async throws -> Result {
    var configuration = WebServer.Configuration()
    configuration.port = 0
    configuration.certificateFolder = temporary.url("certificate")
    // All clients come from one address.
    configuration.limits.connections = 1000
    configuration.limits.connectionsPerAddress = 1000
    configuration.limits.newConnectionsBurst = 1000
    let server = try WebServer(configuration: configuration, application: application)
    let running = Task { try await server.run() }
    let url = server.url
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await onThread { try body(url) })
    } catch {
      result = .failure(error)
    }
    server.stop()
    try await running.value
    return try result.get()
  }
}
