import KinemaCounting
import KinemaLab
import KinemaSynth
import KinemaTraining
import Testing

/// The benchmark of counting with an estimator whose counts are known.
@Suite("The benchmark of counting and a silent counter")
struct SilentCounterTests {
  /// Finds that nothing is ever repeated.
  private struct Silent: PeriodEstimator {
    let leastMotion: Float = 0

    func periods(of track: MotionTrack, features: MotionFeatures) throws -> [FramePeriod] {
      stride(from: 0, to: track.count, by: LagPlanes.step).map { frame in
        FramePeriod(time: track.times[frame], period: 1, periodicity: 0)
      }
    }
  }

  @Test("who never counts is off by every repetition, and has no false counts")
  func silence() async throws {
    var benchmark = RepetitionBenchmark()
    benchmark.sequenceCount = 6
    benchmark.idleMinutes = 1
    let report = try await benchmark.run(estimator: Silent())
    #expect(report.sequences.map(\.motion) == Motion.counted.prefix(6).map(\.name))
    #expect(report.sequences.allSatisfy { $0.counted == 0 && $0.count >= 3 })
    #expect(report.falseCountsPerMinute.values.allSatisfy { $0 == 0 })
    // A second after the first repetition the count is one off, after the others more.
    let total = report.sequences.reduce(0) { $0 + $1.count }
    #expect(report.liveWithinOne == 6 / Double(total))
    let figures = report.evaluation.overall
    #expect(figures.support == 6 && figures.exact == 0 && figures.offByOne == 0)
    #expect(abs(figures.meanAbsoluteError - 1) < 1e-9)
  }

  @Test("the sequences are the trials, with the mean of their periods")
  func sequences() async throws {
    var benchmark = RepetitionBenchmark()
    (benchmark.sequenceCount, benchmark.idleMinutes) = (5, 0)
    var steps: [[Int]] = []
    let report = try await benchmark.run(estimator: Silent()) { steps.append([$0, $1]) }
    #expect(steps.last == [5, 5])
    for (index, sequence) in report.sequences.enumerated() {
      let trial = benchmark.trial(index)
      #expect(sequence.motion == trial.motion.name)
      #expect(sequence.count == trial.repetitions.count)
      let seconds = trial.repetitions.reduce(0) { $0 + $1.end - $1.start }
      #expect(abs(sequence.period - seconds / Double(sequence.count)) < 1e-9)
    }
    #expect(report.falseCountsPerMinute.isEmpty)
  }

  @Test("a share of sequences lasts as long as the live window, all others within their limits")
  func durations() {
    var repetitions = SyntheticRepetitions(seed: 5)
    let lengths = (0..<120).map { index in
      let take = repetitions.take(index)
      return Double(take.periods.count) / take.frameRate
    }
    let windows = lengths.count { abs($0 - 12) < 0.05 }
    #expect((40...80).contains(windows))
    #expect(lengths.allSatisfy { $0 > 3.9 && $0 < 20.05 })
    repetitions.windowShare = 1
    for index in 0..<5 {
      let take = repetitions.take(index)
      #expect(abs(Double(take.periods.count) / take.frameRate - 12) < 0.05)
    }
  }

  @Test("what is no part of a trial is the take of its number, at every second frame")
  func samples() {
    var repetitions = SyntheticRepetitions(seed: 6)
    repetitions.trialShare = 0
    for index in 0..<5 {
      let (take, sample) = (repetitions.take(index), repetitions.sample(index))
      let every = stride(from: 0, to: take.periods.count, by: LagPlanes.step)
      #expect(sample.periods == every.map { take.periods[$0] })
      #expect(sample.count == take.count.map { Float($0) })
    }
  }
}
