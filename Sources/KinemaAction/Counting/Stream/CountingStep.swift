/// What two frames of the grid (2/15 s) add to the count.
struct CountingStep: Hashable, Sendable {
  /// The length of a step in seconds.
  static let duration = Double(LagPlanes.step) / MotionTrack.frameRate
  /// The share of a period under which a hole between two stretches of movement is closed.
  static let closedHole = 0.6
  /// The periodicity above which there is a movement that repeats itself.
  static let periodicityThreshold = 0.5

  /// The time at which the step begins, in seconds.
  var time: Double
  /// The time that one repetition takes, in seconds.
  var period: Double
  /// How sure it is that there is a repetition, from 0 to 1.
  var periodicity: Double
  /// Whether the movement repeats itself, strongly enough to count.
  var isActive: Bool

  /// How many repetitions are done in the step.
  var repetitions: Double { isActive ? Self.duration / period : 0 }

  /// What an estimator says of a track, step by step.
  ///
  /// - Parameters:
  ///   - track: The movement.
  ///   - estimator: What finds its periods.
  ///   - countsPairs: Whether the two sides of a movement that changes sides are one repetition.
  static func steps(
    of track: MotionTrack, by estimator: any PeriodEstimator, countsPairs: Bool = false
  ) throws -> [CountingStep] {
    let frames = Array(stride(from: 0, to: track.count, by: LagPlanes.step))
    let features = MotionFeatures(track)
    let motion = features.motion(at: frames)
    let periods = try estimator.periods(of: track, features: features)
    var steps = zip(zip(frames, motion), periods).map { step, period in
      CountingStep(
        time: track.time(of: step.0), period: period.period, periodicity: period.periodicity,
        isActive: period.periodicity > periodicityThreshold && step.1 > estimator.leastMotion
          && period.period > 0)
    }
    closeHoles(&steps)
    if countsPairs { joinSides(&steps, features) }
    return steps
  }

  /// Doubles the periods of movements that change sides.
  private static func joinSides(_ steps: inout [CountingStep], _ features: MotionFeatures) {
    let changes = SideChanges(features)
    for run in activeRuns(in: steps) {
      let single = steps
      let end = min(run.upperBound * LagPlanes.step, features.count)
      let cycle = { 2 * single[$0 / LagPlanes.step].period * MotionTrack.frameRate }
      guard changes.areThere(in: (run.lowerBound * LagPlanes.step)..<end, cycle: cycle) else {
        continue
      }
      for index in run { steps[index].period *= 2 }
    }
  }

  /// The stretches of steps in which the movement repeats itself without a break.
  static func activeRuns(in steps: [CountingStep]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in steps.indices where steps[index].isActive {
      let isNew =
        index == 0 || !steps[index - 1].isActive
        || steps[index].time - steps[index - 1].time > 1.5 * duration
      if !isNew, let last = runs.last {
        runs[runs.count - 1] = last.lowerBound..<(index + 1)
      } else {
        runs.append(index..<(index + 1))
      }
    }
    return runs
  }

  /// Takes short rests within a movement for a part of it.
  static func closeHoles(_ steps: inout [CountingStep]) {
    var last: Int?
    for index in steps.indices where steps[index].isActive {
      defer { last = index }
      guard let last, index > last + 1 else { continue }
      let (before, after) = (steps[last].period, steps[index].period)
      guard Double(index - last - 1) * duration < closedHole * min(before, after) else { continue }
      for hole in (last + 1)..<index {
        steps[hole].isActive = true
        steps[hole].period = (before * after).squareRoot()
      }
    }
  }
}
