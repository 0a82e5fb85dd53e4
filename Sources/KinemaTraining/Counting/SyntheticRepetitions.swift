import KinemaAction
package import KinemaNetwork
package import KinemaSynth

/// Any number of synthetic sequences with known periods and counts for the learnt counter.
///
/// Sequence i depends on the seed and on i alone, so that they can be made in any order and on any
/// number of threads.
package struct SyntheticRepetitions: Codable, Hashable, Sendable {
  /// Decides everything.
  package var seed: UInt64
  /// The shortest and the longest sequence, in seconds.
  ///
  /// The live counter looks at what it has, and at twelve seconds once it has as much.
  package var durations: ClosedRange<Double> = 4...20
  /// The share of sequences that last exactly as long as the live counter's window.
  package var windowShare = 0.5
  /// The live counter's window, in seconds.
  package var windowDuration = 12.0

  package init(seed: UInt64) {
    self.seed = seed
  }

  /// A sequence as poses; not below 0.
  package func take(_ index: Int) -> RepetitionTake {
    var generator = SeededGenerator(seed: seed &+ UInt64(index) &* 0xD134_2543_DE82_EF95)
    let isWindow = Double(generator.next() >> 11) * 0x1p-53 < windowShare
    let share = Double(generator.next() >> 11) * 0x1p-53
    let length = durations.upperBound - durations.lowerBound
    return RepetitionTake(
      duration: isWindow ? windowDuration : durations.lowerBound + length * share,
      frameRate: MotionTrack.frameRate, seed: generator.next())
  }

  /// A sequence as the network sees it, with what is right at each time.
  package func sample(_ index: Int) -> PeriodNetworkSample {
    let take = take(index)
    let track = MotionTrack(positions: take.positions, isJointSeen: take.isJointSeen)
    let planes = LagPlanes(MotionFeatures(track))
    let periods = stride(from: 0, to: take.periods.count, by: LagPlanes.step).map {
      take.periods[$0]
    }
    return PeriodNetworkSample(
      planes: planes.values, periods: periods, count: take.count.map { Float($0) })
  }
}
