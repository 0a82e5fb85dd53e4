import KinemaAction
import KinemaPose
import KinemaSynth

/// A stretch of a trial on the counter's grid of frames, with what is right at each time.
struct TrialWindow: Sendable {
  let track: MotionTrack
  /// For each frame how long the repetition takes that it belongs to, in seconds: 0 in between,
  /// below 0 where it is not judged.
  let periods: [Float]
  /// How many repetitions there are, with the shares of those that the ends cut off; `nil` where it
  /// is not judged.
  let count: Float?

  /// Cuts a stretch out of a trial.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - range: From when to when, in seconds.
  ///   - fillsSquare: Whether each frame is stretched to fill the unit square.
  init(of trial: CountingTrial, in range: ClosedRange<Double>, fillsSquare: Bool) {
    let whole = MotionTrack(
      trial.poses.frames.filter { range.contains($0.time) }.map {
        MotionSample($0.poses.first, at: $0.time, aspectRatio: trial.aspectRatio)
      })
    var positions = whole.positions
    if fillsSquare { RepetitionView.fillSquare(&positions) }
    track = MotionTrack(
      startTime: whole.startTime, positions: positions, isJointSeen: whole.isJointSeen)
    let parts = trial.repetitions.map { repetition in
      let seen = min(repetition.end, range.upperBound) - max(repetition.start, range.lowerBound)
      return max(seen, 0) / (repetition.end - repetition.start)
    }
    let total = parts.reduce(0, +)
    let isJudged = total == 0 || total >= RepetitionTake.leastCount
    count = isJudged ? Float(total) : nil
    periods = track.times.map { time in
      guard let repetition = trial.repetitions.first(where: { $0.start <= time && time < $0.end })
      else { return 0 }
      return isJudged ? Float(repetition.end - repetition.start) : -1
    }
  }
}
