import KinemaAction
import KinemaCounting
import KinemaLab
import KinemaSynth
import KinemaTraining
import Testing

@Suite("Counting all motions of synthetic people")
struct RepetitionBenchmarkLongTests {
  @Test("One sequence of each motion: eight of ten are within one, and rest is no repetition")
  func counts() async throws {
    var benchmark = RepetitionBenchmark()
    benchmark.sequenceCount = 69
    benchmark.idleMinutes = 1
    let report = try await benchmark.run(estimator: CountingMethod.auto.estimator())
    let evaluation = report.evaluation
    let figures = evaluation.overall
    #expect(figures.support == 69)
    #expect(figures.offByOne >= 0.80)
    #expect(evaluation.perLabel.count == Motion.counted.count)
    #expect(report.liveWithinOne >= 0.85)
    #expect(report.falseCountsPerMinute.count == RepetitionBenchmark.idleMotions.count)
    let falseCounts = report.falseCountsPerMinute.values.reduce(0, +)
    #expect(falseCounts <= Double(report.falseCountsPerMinute.count))
  }
}
