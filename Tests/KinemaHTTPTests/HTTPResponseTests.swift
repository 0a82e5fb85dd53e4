import Foundation
import KinemaErrors
import KinemaHTTP
import Testing

@Suite("Responses")
struct HTTPResponseTests {
  @Test(
    "a failure is JSON that names code and reason, and what the reason says by name",
    arguments: [
      (nil, ""), (MessageText("noRun", ["number": 7]), #","text":{"noRun":{"number":"7"}}"#),
    ] as [(MessageText?, String)])
  func failure(text: MessageText?, json: String) throws {
    let response = HTTPResponse.failure(
      404, code: "notFound", KinemaError(0, "There is no run “7”.", text: text))
    guard case .data(let data) = response.body else {
      Issue.record("The body is not data.")
      return
    }
    #expect(response.status == 404)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"error":{"code":"notFound","message":"There is no run “7”."\#(json)}}"#)
  }
}
