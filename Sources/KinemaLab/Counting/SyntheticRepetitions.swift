import KinemaCounting
import KinemaPose
import KinemaSynth

/// Synthetic sequences with known periods and counts, to train the counter on.
///
/// Sequence i depends only on the seed and i.
package struct SyntheticRepetitions: Codable, Hashable, Sendable {
  package var seed: UInt64
  /// The shortest and longest sequence, in seconds; the live counter uses up to twelve seconds.
  package var durations: ClosedRange<Double> = 4...20
  /// The share of sequences that last exactly as long as the live counter's window.
  package var windowShare = 0.5
  /// The live counter's window, in seconds.
  package var windowDuration = 12.0
  /// The share of sequences that are parts of trials, as in ``RepetitionBenchmark`` with other
  /// people: seen by another camera and pose network than ``RepetitionTake``s.
  package var trialShare: Float = 0.55
  /// The share of trials in which nothing is repeated.
  var idleShare: Float = 0.13
  /// The share of the other trials that show one of ``hardMotions``.
  var hardShare: Float = 0.3
  /// The share of trials that are stretched frame by frame to fill a square, as some collections of
  /// poses are.
  var squareShare: Float = 0.35

  /// What is miscounted most often: quick and small movements, and such that change sides.
  private static let hardMotions = Motion.counted.filter {
    [
      "bear_crawl", "butt_kicks", "calf_raises", "flutter_kicks", "high_knees", "hip_circles",
      "hops", "jogging_on_the_spot", "jump_rope", "knees_to_elbows", "mountain_climbers",
      "neck_rolls", "russian_twists", "torso_twists",
    ].contains($0.name)
  }

  package init(seed: UInt64) { self.seed = seed }

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

  private func trialWindow(using generator: inout SeededGenerator) -> TrialWindow {
    let motions =
      generator.chance(idleShare)
      ? Motion.idle
      : generator.chance(hardShare) ? Self.hardMotions : Motion.counted
    let motion = generator.pick(motions)
    let trial = CountingTrial(of: motion, seconds: durations.upperBound, seed: generator.next())
    let length =
      generator.chance(Float(windowShare))
      ? windowDuration
      : Double(generator.uniform(Float(durations.lowerBound)...Float(durations.upperBound)))
    let start =
      max(0, (trial.poses.frames.last?.time ?? 0) - length) * Double(generator.uniform(0...1))
    return TrialWindow(
      of: trial, in: start...(start + length), fillsSquare: generator.chance(squareShare))
  }

  /// A sequence as the network sees it, with what is right at each time; not below 0.
  package func sample(_ index: Int) -> PeriodNetworkSample {
    var generator = SeededGenerator(seed: seed &+ UInt64(index) &* 0x9FB2_1C65_1E98_DF25)
    generator = SeededGenerator(seed: generator.next())
    if generator.chance(trialShare) {
      let window = trialWindow(using: &generator)
      return Self.sample(window.track, periods: window.periods, count: window.count)
    }
    let take = take(index)
    return Self.sample(
      MotionTrack(positions: take.positions, isJointSeen: take.isJointSeen),
      periods: take.periods, count: take.count.map { Float($0) })
  }

  private static func sample(
    _ track: MotionTrack, periods: [Float], count: Float?
  ) -> PeriodNetworkSample {
    PeriodNetworkSample(
      planes: LagPlanes(MotionFeatures(track)).values,
      periods: stride(from: 0, to: periods.count, by: LagPlanes.step).map { periods[$0] },
      count: count)
  }
}
