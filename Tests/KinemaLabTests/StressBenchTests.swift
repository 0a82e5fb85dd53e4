import Foundation
import KinemaAction
import KinemaLab
import KinemaModelFiles
import KinemaSynth
import KinemaTestSupport
import Testing

@Suite("Stress of classifiers")
struct StressBenchTests {
  private static func bench() throws -> StressBench {
    StressBench(
      models: try [BuiltInModel.exercise, .workout].map {
        ($0.rawValue, try ActionClassifier(contentsOf: $0.url))
      })
  }

  @Test("each way of failing is a row of each model, the same each time")
  func synthetic() async throws {
    var bench = try Self.bench()
    bench.windowCount = 60
    let report = try await bench.run()
    let names = Set(report.rows.map(\.name))
    #expect(names.count >= 15 && report.rows.count == 2 * names.count)
    #expect(report.rows.allSatisfy { $0.windows == 60 && (0...1).contains($0.named.value) })
    for row in report.rows {
      #expect((row.walking == nil) == (row.model == "Exercise"))
      #expect((row.named.value == 0) == row.names.isEmpty)
    }
    let again = try await bench.run()
    let encoded = try [report, again].map { try JSONEncoder().encode($0.rows.map(\.named.value)) }
    #expect(encoded[0] == encoded[1])
    #expect(names.allSatisfy { report.table.contains($0) })
  }

  @Test("windows of motion capture are a second apart, without exercises and without short ones")
  func captured() async throws {
    func recording(_ label: CaptureLabel, frames: Int) -> MotionCapture.Recording {
      .init(
        name: "\(label)", subject: "\(frames)", label: label,
        motion: CapturedMotion(frames: CaptureFolder.walker(frames: frames), frameRate: 30))
    }
    var bench = try Self.bench()
    bench.capture = MotionCapture([
      recording(.walking, frames: 90), recording(.everyday, frames: 125),
      recording(.squats, frames: 200), recording(.sport, frames: 45),
    ])
    let report = try await bench.run()
    #expect(report.people == 2)
    #expect(report.rows.allSatisfy { $0.windows == 5 })
  }

  @Test("a share's deviation is that of people: windows of one person count together")
  func deviation() throws {
    let alike = StressBench.Share(of: [("a", true), ("a", true), ("b", false), ("b", false)])
    #expect(alike.value == 0.5 && abs(alike.deviation - (2 * 0.0625).squareRoot()) < 1e-9)
    let mixed = StressBench.Share(of: [("a", true), ("a", false), ("b", true), ("b", false)])
    #expect(mixed.value == 0.5 && mixed.deviation == 0)
    #expect(StressBench.Share(of: []).value == 0)
  }
}
