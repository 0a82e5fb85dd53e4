import KinemaLab
import KinemaWatch
import Testing

struct FallBenchTests {
  @Test(
    "most falls of synthetic people are found in time, and little else is taken for one")
  func figures() throws {
    var bench = FallBench(try .builtIn)
    bench.seed = 2
    let report = bench.run()
    for (people, found) in [(report.clear, 0.8), (report.room, 0.6)] {
      #expect(people.falls == 40 && people.others == 200)
      #expect(Double(people.found) >= found * Double(people.falls))
      #expect(Double(people.falseAlarms) <= 0.01 * Double(people.others))
    }
  }
}
