import KinemaCounting
import KinemaPose
import KinemaSynth

/// A part of a trial on the counter's grid of frames, with the truth at each time.
struct TrialWindow: Sendable {
  let track: MotionTrack
  /// For each frame the duration of its repetition in seconds: 0 between repetitions, below 0 if
  /// not scored.
  let periods: [Float]
  /// The number of repetitions, with shares of partial ones at the ends; `nil` if not scored.
  let count: Float?

  /// Cuts a part out of a trial; `fillsSquare` stretches each frame to fill the unit square.
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
    let isScored = total == 0 || total >= RepetitionTake.leastCount
    count = isScored ? Float(total) : nil
    periods = track.times.map { time in
      guard let repetition = trial.repetitions.first(where: { $0.start <= time && time < $0.end })
      else { return 0 }
      return isScored ? Float(repetition.end - repetition.start) : -1
    }
  }
}
