import KinemaAction
import KinemaCounting
import KinemaLab
import KinemaPose
import KinemaSynth
import KinemaTraining
import Testing

@Suite("Counting synthetic people")
struct RepetitionBenchmarkTests {
  @Test("The same trials come on any number of threads")
  func determinism() async throws {
    var benchmark = RepetitionBenchmark()
    benchmark.sequenceCount = 4
    benchmark.idleMinutes = 1
    benchmark.threadCount = 1
    let first = try await benchmark.run(estimator: CountingMethod.signal.estimator())
    benchmark.threadCount = 3
    #expect(try await benchmark.run(estimator: CountingMethod.signal.estimator()) == first)
  }

  @Test("Repetitions last 0.3 to 8 seconds, one after the other, within the sequence")
  func trials() {
    let benchmark = RepetitionBenchmark()
    for index in 0..<69 {
      let trial = benchmark.trial(index)
      #expect((3...16).contains(trial.repetitions.count), "\(trial.motion.name)")
      let end = trial.poses.frames.last?.time ?? 0
      #expect((trial.repetitions.last?.end ?? 0) < end)
      for (one, next) in zip(trial.repetitions, trial.repetitions.dropFirst()) {
        #expect(one.end <= next.start + 1e-9)
      }
      for repetition in trial.repetitions where trial.motion.name != "punches" {
        #expect((0.299...8.001).contains(repetition.end - repetition.start))
      }
    }
    let idle = benchmark.idleTrial(2)
    #expect(idle.repetitions.isEmpty)
    #expect((idle.poses.frames.last?.time ?? 0) > 59)
  }
}
