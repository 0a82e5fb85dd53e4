import Foundation
import KinemaHTTP
import KinemaServer
import KinemaTestSupport
import Testing

/// Every row of the server's table of addresses.
@Suite("All addresses of the server")
struct RoutesTests {
  private let folder: TemporaryFolder
  private let routes: [Route]
  private let application: LiveApplication

  init() throws {
    let studio = try StudioFixture()
    folder = studio.temporary
    let models = try ModelLibrary(folder: folder.url("models"))
    routes =
      try APIRoutes(
        history: History(at: folder.url("data")), models: models,
        routines: Routines(folder: folder.url),
        information: {
          ServerInformation(
            version: "1", sources: [], models: [], limits: .init(sessions: 1),
            isRecordingAllowed: true)
        }, isRecordingAllowed: true
      ).routes + studio.table
    application = LiveApplication(routes: routes)
  }

  /// A path of a pattern.
  private static func path(_ pattern: String) -> String {
    pattern.split(separator: "/").map { part in
      !part.hasPrefix("{") ? "/\(part)" : part.hasSuffix("#}") ? "/7" : "/a"
    }.joined()
  }

  @Test("methods that an address does not have are refused with 405, which names the others")
  func otherMethods() async throws {
    for (pattern, rows) in Dictionary(grouping: routes, by: \.pattern) {
      let path = Self.path(pattern)
      let methods = Set(rows.map(\.method))
      for method in Set(["GET", "POST", "PUT", "PATCH", "DELETE"]).subtracting(methods) {
        let response = await application.response(to: HTTPRequest(method: method, path: path))
        #expect(response.status == 405, "\(method) \(path)")
        let allowed = (response.headers["allow"] ?? "").split(separator: ", ").map(String.init)
        #expect(Set(allowed).subtracting(["HEAD"]) == methods, "\(method) \(path)")
        #expect(allowed.contains("HEAD") == methods.contains("GET"), "\(method) \(path)")
        #expect(application.bodyLimit(for: method, path: path) == nil, "\(method) \(path)")
      }
    }
  }

  @Test("there is nothing below an address that is not in the table")
  func unknownPaths() async throws {
    for pattern in Set(routes.map(\.pattern)) where !pattern.hasSuffix("*}") {
      let path = Self.path(pattern) + "/no/such/address"
      // The media of a project are files in folders.
      guard !pattern.hasSuffix("/media") else { continue }
      for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        let response = await application.response(to: HTTPRequest(method: method, path: path))
        #expect(response.status == 404, "\(method) \(path)")
        #expect(application.bodyLimit(for: method, path: path) == nil, "\(method) \(path)")
      }
    }
  }

  @Test("each row has its own limit, no row is there twice or hidden by another")
  func rows() {
    for row in routes {
      let limit = application.bodyLimit(for: row.method, path: Self.path(row.pattern))
      #expect(limit == row.bodyLimit, "\(row.method) \(row.pattern)")
      #expect(routes.count { $0.method == row.method && $0.pattern == row.pattern } == 1)
      if row.method == "GET" { #expect(row.bodyLimit == 0, "\(row.pattern)") }
    }
  }
}
