/// What two frames of the grid (2/15 s) add to the count.
struct CountingStep: Hashable, Sendable {
  /// The length of a step in seconds.
  static let duration = Double(LagPlanes.step) / MotionTrack.frameRate
  /// The share of a period under which a hole between two stretches of movement is closed.
  static let closedHole = 0.6
  /// The longest hole in seconds of which what was not seen does not count.
  static let longestBlindness = 1.0
  /// How many times as long as before a period after such a hole may be, or the reverse.
  static let steadyTempo = 1.5
  /// The periodicity above which there is a movement that repeats itself.
  static let periodicityThreshold = 0.5
  /// The same for periods under ``quickPeriod``: a few quick repetitions are over before one can be sure.
  static let quickThreshold = 0.3
  /// The period in seconds under which a movement is quick.
  static let quickPeriod = 0.8

  /// The movement that comes back, in body sizes, under which it may be breathing and swaying.
  static let leastReturn: Float = 0.04
  /// The same where the periodicity is above ``sureness``.
  static let leastSureReturn: Float = 0.025
  /// The period in seconds from which on one sways as far; under it as far as its square is less, as of
  /// anything that is pulled by the same force.
  static let swayPeriod = 1.5
  /// The motion, as of ``MotionFeatures/motion(at:)``, above which it is neither.
  static let plainMotion: Float = 0.2
  /// The periodicity above which there is hardly any doubt.
  static let sureness = 0.95

  /// How many repetitions are few: of so few, one must be like the other.
  static let fewRepetitions = 3.0
  /// The share of a period that must be seen twice to tell whether it is.
  static let leastOverlap = 0.25

  /// The share of a movement's usual liveliness under which a body is still.
  static let stillShare: Float = 0.2
  /// How long a hold at either end of a movement is a part of it, as a share of the period.
  static let keptHold = 0.3

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
        isActive: period.period > 0
          && period.periodicity
            > (period.period < quickPeriod ? quickThreshold : periodicityThreshold)
          && step.1 > estimator.leastMotion
          && (step.1 > plainMotion || isMoreThanSway(features, at: step.0, period)))
    }
    closeHoles(&steps, isSeen: frames.map { track.isValid[$0] })
    dropUnlike(&steps, features)
    trimEnds(&steps, liveliness: features.liveliness(at: frames))
    if countsPairs { joinSides(&steps, features) }
    return steps
  }

  /// Whether what comes back after a period, or two where sides change, is more than one sways when
  /// one keeps still.
  private static func isMoreThanSway(
    _ features: MotionFeatures, at frame: Int, _ period: FramePeriod
  ) -> Bool {
    let share = Float(min(period.period / swayPeriod, 1))
    let least = share * share * (period.periodicity > sureness ? leastSureReturn : leastReturn)
    return [1, 2].contains { cycles in
      let lag = Int((Double(cycles) * period.period * MotionTrack.frameRate).rounded())
      return features.returningMovement(at: frame, after: lag) > least
    }
  }

  /// Takes out what would be two repetitions of which one goes up where the other goes down: that is
  /// one long movement, done once.
  ///
  /// More of them tell by themselves that they are a rhythm.
  private static func dropUnlike(_ steps: inout [CountingStep], _ features: MotionFeatures) {
    for run in activeRuns(in: steps) {
      guard steps[run].reduce(0, { $0 + $1.repetitions }) < fewRepetitions else { continue }
      let end = min(run.upperBound * LagPlanes.step, features.count)
      let pairs = run.compactMap { index -> (Int, Int)? in
        let frame = index * LagPlanes.step
        let later = frame + Int((steps[index].period * MotionTrack.frameRate).rounded())
        return later < end ? (frame, later) : nil
      }
      let overlap = Double(pairs.count) * duration
      guard overlap > leastOverlap * steps[run.lowerBound].period else { continue }
      let images = [features.whole, features.wholeSwapped, features.wholeMirrored]
      let isUnlike = images.allSatisfy {
        features.whole.covariances(with: $0, at: pairs).reduce(0, +) < 0
      }
      if isUnlike {
        for index in run { steps[index].isActive = false }
      }
    }
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
  ///
  /// Where the person was lost for a moment, only what was seen of it can be rest.
  ///
  /// - Parameter isSeen: Whether the person was seen at each step.
  static func closeHoles(_ steps: inout [CountingStep], isSeen: [Bool]) {
    var last: Int?
    for index in steps.indices where steps[index].isActive {
      defer { last = index }
      guard let last, index > last + 1 else { continue }
      let (before, after) = (steps[last].period, steps[index].period)
      let hole = (last + 1)..<index
      let isBlind =
        Double(hole.count) * duration < longestBlindness
        && max(before, after) < steadyTempo * min(before, after)
      let length = Double(isBlind ? hole.count(where: { isSeen[$0] }) : hole.count) * duration
      guard length < closedHole * min(before, after) else { continue }
      for step in hole {
        steps[step].isActive = true
        steps[step].period = (before * after).squareRoot()
      }
    }
  }

  /// Takes what is still at either end of a movement out of it.
  ///
  /// A part of a period is left there: many movements begin and end with a hold.
  ///
  /// - Parameter liveliness: How much the body moves at each step.
  static func trimEnds(_ steps: inout [CountingStep], liveliness: [Float]) {
    for run in activeRuns(in: steps) {
      let least = stillShare * liveliness[run].sorted()[run.count / 2]
      guard let first = run.first(where: { liveliness[$0] >= least }),
        let last = run.last(where: { liveliness[$0] >= least })
      else { continue }
      let lead = Double(first - run.lowerBound) - keptHold * steps[first].period / duration
      let tail = Double(run.upperBound - 1 - last) - keptHold * steps[last].period / duration
      for index in run.prefix(max(0, Int(lead))) + run.suffix(max(0, Int(tail))) {
        steps[index].isActive = false
      }
    }
  }
}
