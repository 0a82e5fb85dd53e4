import Foundation
import KinemaLab
import KinemaTestSupport
import Testing

@Suite("Measurements of clinical tests")
struct AssessBenchTests {
  private func rows(motion: URL? = nil) throws -> [AssessBench.Row] {
    var bench = try AssessBench()
    bench.count = 12
    bench.motion = motion
    return try bench.run().rows
  }

  private func row(
    _ rows: [AssessBench.Row], _ people: String, _ test: String, _ measurement: String
  ) throws -> AssessBench.Row {
    try #require(
      rows.first { $0.people == people && $0.test == test && $0.measurement == measurement })
  }

  @Test("phases of synthetic people are found within a tenth of a second")
  func synthetic() throws {
    let rows = try rows()
    for test in ["five-times-chair-stand", "single-leg-stance", "timed-up-and-go"] {
      let moments = try row(rows, "synthetic", test, "moments of phases")
      #expect(moments.error < 0.1, "\(moments)")
      #expect(Double(moments.seen) > 0.8 * Double(moments.count), "\(moments)")
    }
    let time = try row(rows, "synthetic", "five-times-chair-stand", "time")
    #expect(time.error < 0.12 && time.within[1] > 0.85, "\(time)")
  }

  @Test(
    "recorded people stand up, and walk past, as their joints say",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func recorded() throws {
    let rows = try rows(motion: SharedData.url("motion"))
    let moments = try row(rows, "recorded", "chair-stand-30s", "moments of phases")
    #expect(moments.error < 0.1 && moments.count > 100, "\(moments)")
    let speed = try row(rows, "recorded, side", "walk-4m", "speed")
    #expect(speed.error < 0.12 && speed.within[1] > 0.85, "\(speed)")
    let steps = try row(rows, "recorded, side", "walk-4m", "step time")
    #expect(steps.error < 0.04, "\(steps)")
  }
}
