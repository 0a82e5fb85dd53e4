import Foundation
import KinemaStudio
import KinemaTestSupport
import Testing

/// How long what pages ask for takes in the largest project.
@Suite("A project of 100,000 items", .serialized)
struct LargeProjectLongTests {
  private let temporary: TemporaryFolder
  private let project: Project

  init() throws {
    temporary = try TemporaryFolder()
    project = try Project.create(at: temporary.url("large"), name: "Large")
    var rows = "id,file_name,label,start_time,end_time,person\n"
    for number in 0..<100_000 {
      let start = number % 1000
      rows += "i\(number),v\(number % 500).mp4,label\(number % 20),\(start),\(start + 1),\n"
    }
    try Data(rows.utf8).write(to: project.folder.table(.training))
    _ = try project.items(of: "")
  }

  private func seconds(_ name: String, _ work: () async throws -> Void) async rethrows -> Double {
    let begin = ContinuousClock.now
    try await work()
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    print("\(name): \(Int(seconds * 1000)) ms")
    return seconds
  }

  @Test("its pages take 100 ms at most, and changes of half of it two seconds")
  func times() async throws {
    for (label, offset) in [(nil, 0), (nil, 99_000), ("label7", 4000)] as [(String?, Int)] {
      let time = try await seconds("a page") {
        let page = try project.page(in: nil, label: label, from: offset, limit: 1000)
        #expect(page.items.count == 1000)
        _ = try await project.media(of: page.items)
      }
      #expect(time <= 0.1)
    }
    #expect(try await seconds("a file") { _ = try project.items(of: "v7.mp4") } <= 0.1)
    let ids = (0..<50_000).map { "i\($0)" }
    let change = try await seconds("a change of 50,000 items") {
      _ = try project.change(ids, .init(label: "renamed", well: .testing))
    }
    #expect(change < 2)
    let one = try await seconds("a change of one") {
      _ = try project.change(["i7"], .init(label: "a"))
    }
    #expect(one <= 0.1)
    #expect(try await seconds("removing 50,000") { _ = try project.remove(ids) } < 1)
    #expect(try await seconds("its summary") { _ = try await project.summary() } <= 0.1)
    #expect(
      try await seconds("its findings") { _ = try await project.summary(hasFindings: true) } <= 0.1)
    #expect(try await seconds("reading it") { _ = try Project(opening: project.folder.url) } < 1)
  }
}
