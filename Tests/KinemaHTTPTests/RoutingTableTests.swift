import Foundation
import KinemaHTTP
import Testing

@Suite("Routing table")
struct RoutingTableTests {
  private static let table = RoutingTable([
    Route("GET", "/things") { _, _ in .text("things") },
    Route("POST", "/things", bodyLimit: 10) { request, _ in
      .text(String(decoding: request.body, as: UTF8.self))
    },
    Route("GET", "/things/new") { _, _ in .text("new") },
    Route("GET", "/things/{thing}") { .text("thing \($1["thing"])") },
    Route("DELETE", "/numbers/{number#}") { .text("number \($1.number("number"))") },
    Route("GET", "/files/{file*}") { .text("file \($1["file"])") },
  ])

  private static func answer(_ method: String, _ path: String) async throws -> String? {
    guard
      let response = try await table.response(to: HTTPRequest(method: method, path: path)),
      response.status == 200, case .data(let data) = response.body
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  @Test("a path reaches the first row that matches it, with what stands in it")
  func matches() async throws {
    #expect(try await Self.answer("GET", "/things") == "things")
    #expect(try await Self.answer("GET", "/things/new") == "new")
    #expect(try await Self.answer("GET", "/things/old one") == "thing old one")
    #expect(try await Self.answer("DELETE", "/numbers/12") == "number 12")
    #expect(try await Self.answer("GET", "/files/a/b c/d.mp4") == "file a/b c/d.mp4")
  }

  @Test(
    "there is nothing at other paths, whatever the method",
    arguments: [
      "/", "/thing", "/things/a/b", "/numbers", "/numbers/0", "/numbers/01", "/numbers/-1",
      "/numbers/x", "/numbers/99999999999999999999", "/files",
    ], ["GET", "POST", "DELETE"])
  func nothing(path: String, method: String) async throws {
    #expect(try await Self.table.response(to: HTTPRequest(method: method, path: path)) == nil)
    #expect(Self.table.bodyLimit(for: method, path: path) == nil)
  }

  @Test(
    "another method is refused with those that are possible",
    arguments: [
      ("PUT", "/things", "GET, HEAD, POST"), ("DELETE", "/things/new", "GET, HEAD"),
      ("GET", "/numbers/1", "DELETE"), ("POST", "/files/a", "GET, HEAD"),
    ])
  func otherMethod(method: String, path: String, allowed: String) async throws {
    let request = HTTPRequest(method: method, path: path)
    let response = try #require(try await Self.table.response(to: request))
    #expect(response.status == 405)
    #expect(response.headers["allow"] == allowed)
    #expect(Self.table.bodyLimit(for: method, path: path) == nil)
  }

  @Test("a row has its own limit of the body, a HEAD request that of GET")
  func limits() {
    #expect(Self.table.bodyLimit(for: "POST", path: "/things") == 10)
    #expect(Self.table.bodyLimit(for: "GET", path: "/things") == 0)
    #expect(Self.table.bodyLimit(for: "HEAD", path: "/things") == 0)
  }
}
