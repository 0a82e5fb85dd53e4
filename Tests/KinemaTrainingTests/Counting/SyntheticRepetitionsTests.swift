import KinemaAction
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
