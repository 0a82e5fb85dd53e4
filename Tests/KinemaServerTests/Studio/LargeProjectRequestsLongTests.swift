import Foundation
import KinemaHTTP
import KinemaStudio
import KinemaTestSupport
import Testing

/// How long the requests of pages take in the largest project.
@Suite("Requests to a project of 100,000 items", .serialized)
struct LargeProjectRequestsLongTests {
  private let fixture: StudioFixture
  private let project: Project

  init() throws {
    fixture = try StudioFixture()
    project = try fixture.project(
      Dictionary(uniqueKeysWithValues: (0..<100).map { ("v\($0).jsonl", 4) }))
    // Segments overlap: there is a finding for nearly every row; and two rows are flawed.
    var rows = "id,file_name,label,start_time,end_time,person\nflawed,v1.jsonl,,0,1,\n"
    for number in 1..<100_000 {
      let start = number == 500 ? "soon" : "\(number % 3)"
      rows += "i\(number),v\(number % 100).jsonl,label\(number % 20),\(start),\(number % 3 + 2),\n"
    }
    try Data(rows.utf8).write(to: project.folder.table(.training))
  }

  /// Asks, and compares how long it takes with the bar.
  @discardableResult
  private func ask(
    _ method: String, _ path: String = "", query: [String: String] = [:], body: String = "",
    within bar: Double = 0.1
  ) async throws -> [String: any Sendable] {
    let begin = ContinuousClock.now
    let answer = try await fixture.ask(
      method, "projects/golf\(path)", query: query, body: Data(body.utf8))
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    #expect(answer.status == 200)
    guard case .data(let data) = answer.body else { return [:] }
    print("\(method) \(path) \(query) \(data.count) bytes: \(Int(seconds * 1000)) ms")
    #expect(seconds <= bar, "\(method) \(path) \(query)")
    let isJSON = data.first == UInt8(ascii: "{")
    return isJSON
      ? try JSONSerialization.jsonObject(with: data) as? [String: any Sendable] ?? [:] : [:]
  }

  private func change(_ ids: some Sequence<Int>, to label: String) -> String {
    #"{"ids":[\#(ids.map { "\"i\($0)\"" }.joined(separator: ","))],"label":"\#(label)"}"#
  }

  @Test("each GET and the change of an item take 100 ms at most, also right after a change")
  func times() async throws {
    // Reads the table, and the headers of the media.
    try await ask("GET", within: 5)
    let gets: [(String, [String: String])] = [
      ("", [:]), ("/items", ["limit": "1000"]), ("/items", ["limit": "1000", "offset": "99000"]),
      ("/items", ["limit": "1000", "label": "label7"]), ("/annotations", ["file": "v7.jsonl"]),
      ("/annotations.csv", [:]), ("/media", [:]),
    ]
    for (number, (path, query)) in gets.enumerated() {
      let changed = try await ask("PATCH", "/items", body: change([number + 1], to: "one"))
      #expect(changed["total"] as? Int == 1)
      try await ask("GET", path, query: query)
      try await ask("GET", path, query: query)
    }
    // The last findings are there all the time, the present ones at the end.
    try await waitUntil(every: 0.2) { try await ask("GET")["checking"] as? Bool == false }
    try await ask("PATCH", "/items", body: change(1...50_000, to: "many"), within: 0.25)
    let described = try await ask("GET")
    let training = described.object("wells").object("training")
    #expect(described["checking"] as? Bool == true && training["items"] as? Int == 100_000)
    #expect((100...1000).contains(training.list("findings").count))
    #expect(training.list("classes").contains { $0["label"] as? String == "many" })
    #expect(try Project(opening: project.folder.url).items() == project.items())
  }
}
