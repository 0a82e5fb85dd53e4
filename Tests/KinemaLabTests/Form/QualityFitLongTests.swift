import KinemaLab
import KinemaTestSupport
import Testing

@Suite("Right executions of real people")
struct QualityFitLongTests {
  @Test(
    "right executions of real people who are held out are distinguished from their wrong ones",
    .enabled(if: SharedData.isPresent, SharedData.reason))
  func realPeople() throws {
    let (_, report) = try QualityFit(contentsOf: SharedData.url("motion"), viewCount: 2).run()
    #expect(report.rows.count == 10)
    let areas = report.rows.compactMap(\.heldOutArea)
    #expect(areas.reduce(0, +) / Double(areas.count) > 0.85)
  }
}
