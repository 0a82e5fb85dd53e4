import KinemaLab
import KinemaWatch
import Testing

struct FallBenchTests {
  @Test(
    "falls of synthetic people are found within three seconds, and little else is taken for one")
  func figures() throws {
    var bench = FallBench(try .builtIn)
    bench.seed = 2
    let report = bench.run()
    #expect(report.falls == 40 && report.others == 200)
    #expect(Double(report.found) >= 0.97 * Double(report.falls))
    #expect(Double(report.falseAlarms) <= 0.01 * Double(report.others))
  }
}
