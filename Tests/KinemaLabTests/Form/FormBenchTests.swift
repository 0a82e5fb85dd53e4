import Foundation
import KinemaCoach
import KinemaLab
import Testing

@Suite("The benchmark of form")
struct FormBenchTests {
  private struct Row: Decodable, Equatable {
    struct Figures: Decodable, Equatable {
      let repetitions, evaluated, truePositives, falsePositives, falseNegatives: Int
    }

    let exercise, rule: String
    let all: Figures
    let views: [String: Figures]
  }

  private struct Report: Decodable {
    let rows: [Row]
  }

  private static func rulebook(_ squats: String) throws -> Rulebook {
    try Rulebook(
      Data(#"{"squats": {"follow": "hips", "range": "knee", \#(squats)}}"#.utf8), name: "own")
  }

  private static func rows(_ bench: FormBench) throws -> [Row] {
    try JSONDecoder().decode(Report.self, from: JSONEncoder().encode(bench.run())).rows
  }

  private static let depth =
    #""depth": {"knee angle at the bottom": "below 115°", "say": "Go lower."}"#

  @Test("what is evaluated is right or wrong, and the views add up")
  func figures() throws {
    var bench = FormBench(try Self.rulebook(Self.depth))
    bench.sequenceCount = 6
    let rows = try Self.rows(bench)
    #expect(rows.map(\.exercise) == ["squats"] && rows.map(\.rule) == ["depth"])
    let all = try #require(rows.first).all
    // Four repetitions a person, but for those near the limit.
    #expect(all.repetitions > 6 && all.repetitions <= 24)
    #expect(all.evaluated > 0 && all.evaluated <= all.repetitions)
    #expect(all.truePositives + all.falsePositives + all.falseNegatives <= all.evaluated)
    // Some repetitions have the fault.
    #expect(all.truePositives + all.falseNegatives > 0)
    let views = try #require(rows.first).views.values
    #expect(views.reduce(0) { $0 + $1.repetitions } == all.repetitions)
    #expect(views.reduce(0) { $0 + $1.evaluated } == all.evaluated)
    #expect(try Self.rows(bench) == rows)
    bench.seed = 2
    #expect(try Self.rows(bench) != rows)
  }

  @Test("without people there is a table without rows")
  func table() throws {
    var bench = FormBench(try Self.rulebook(Self.depth))
    bench.sequenceCount = 0
    #expect(try bench.run().table.contains("exercise"))
    #expect(try Self.rows(bench).isEmpty)
  }

  @Test("of an exercise without a motion nothing is measured")
  func unknown() throws {
    let text = #"{"handstands": {"follow": "hips", "range": "knee", \#(Self.depth)}}"#
    var bench = FormBench(try Rulebook(Data(text.utf8), name: "own"))
    bench.sequenceCount = 3
    #expect(try Self.rows(bench).isEmpty)
  }
}
