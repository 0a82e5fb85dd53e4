import KinemaCounting
import KinemaLab
import KinemaNetwork
import KinemaSynth
import KinemaTraining
import Testing

@Suite struct SyntheticRepetitionsTests {
  private let repetitions = SyntheticRepetitions(seed: 11)

  @Test("A sequence depends on seed and number alone")
  func determinism() {
    let first = repetitions.take(3)
    _ = repetitions.take(4)
    let again = repetitions.take(3)
    #expect(first.positions == again.positions)
    #expect(first.periods == again.periods)
    #expect(first.positions != SyntheticRepetitions(seed: 12).take(3).positions)
  }

  @Test("The periods add up to the count")
  func counts() {
    for index in 0..<60 {
      let take = repetitions.take(index)
      guard let count = take.count else {
        continue
      }
      let sum = take.periods.reduce(0.0) { $1 > 0 ? $0 + 1 / (Double($1) * take.frameRate) : $0 }
      // The frames stand for the seconds behind them: the last one may be cut.
      #expect(abs(sum - count) < 0.35 + 0.02 * count, "sequence \(index)")
    }
  }

  @Test("the periods of trial windows add up to their counts; some have no repetitions")
  func trials() {
    var trials = repetitions
    trials.trialShare = 1
    let samples = (0..<80).map(trials.sample)
    for (index, sample) in samples.enumerated() {
      guard let count = sample.count else { continue }
      let step = Float(Double(LagPlanes.step) / MotionTrack.frameRate)
      let sum = sample.periods.reduce(Float(0)) { $1 > 0 ? $0 + step / $1 : $0 }
      // The labelled frames stand for the seconds behind it: the last one may be cut.
      #expect(abs(sum - count) < 0.5 + 0.05 * count, "sequence \(index)")
    }
    #expect(samples.contains { $0.count == 0 })
    #expect(samples.count { $0.count ?? 0 > 1.6 } > 40)
  }

  @Test("a trial window depends on seed and number alone")
  func trialDeterminism() {
    var trials = repetitions
    trials.trialShare = 1
    let first = trials.sample(5)
    _ = trials.sample(6)
    let again = trials.sample(5)
    #expect(first.planes == again.planes)
    #expect(first.periods == again.periods)
    var others = SyntheticRepetitions(seed: 12)
    others.trialShare = 1
    #expect(first.planes != others.sample(5).planes)
  }

  @Test("Sequences are finite, have 18 joints a frame and bodies that move")
  func shapes() {
    for index in 0..<40 {
      let take = repetitions.take(index)
      #expect(take.positions.count == 18 * take.periods.count)
      #expect(take.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite })
      let sample = repetitions.sample(index)
      #expect(
        sample.planes.count
          == LagPlanes.channelCount * LagPlanes.lagCount * sample.periods.count)
      #expect(sample.planes.allSatisfy { $0.isFinite })
    }
  }

  @Test("There are repetitions of all tempos, rests, and sequences without any")
  func variety() {
    let takes = (0..<300).map(repetitions.take)
    let periods = takes.flatMap { $0.periods.filter { $0 > 0 } }
    #expect(periods.contains { $0 < 0.5 })
    #expect(periods.contains { $0 > 5 })
    let negatives = takes.count { $0.count == 0 }
    #expect((15...90).contains(negatives))
    #expect(takes.count { $0.count == nil } < 90)
  }
}
