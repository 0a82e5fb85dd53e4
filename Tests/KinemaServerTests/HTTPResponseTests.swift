import Foundation
import KinemaServer
import Testing

@Suite("Responses")
struct HTTPResponseTests {
  @Test("a failure is JSON that names code and reason")
  func failure() throws {
    let response = HTTPResponse.failure(404, code: "notFound", "There is no session 7.")
    guard case .data(let data) = response.body else {
      Issue.record("The body is not data.")
      return
    }
    #expect(response.status == 404)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"error":{"code":"notFound","message":"There is no session 7."}}"#)
  }
}
