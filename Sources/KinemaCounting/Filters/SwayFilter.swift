/// Deactivates steps whose recurring movement is no larger than the breathing and swaying of a still
/// person.
package struct SwayFilter: StepFilter {
  /// The recurring movement in body sizes (``MotionFeatures/returningMovement(at:after:)``) under
  /// which it may be sway.
  static let leastReturn: Float = 0.04
  /// The same where the periodicity is above ``highPeriodicity``.
  static let leastConfidentReturn: Float = 0.025
  /// The same for the median of a run whose mean periodicity is not, of a body that is not upright.
  ///
  /// Some people bob up and down in a forearm plank as regularly as the sway of their trunk, which is
  /// up to 0.7 Hz. Chosen with `kinema bench counting --seed 780` and 9003.
  static let leastLyingReturn: Float = 0.11
  /// The cosine of the trunk's angle to the vertical under which a body is not upright: 45 degrees.
  static let uprightCosine: Float = 0.7
  static let highPeriodicity = 0.95
  /// The repetitions from which on a run of a body that is not upright is examined.
  static let longRun = 2.0
  /// The period in seconds from which on sway is this large; at shorter ones it is smaller by the
  /// square of the period, as the displacement that a given force causes.
  static let swayPeriod = 1.5
  /// The motion, as of ``MotionFeatures/motion(at:)``, above which it is no sway.
  static let plainMotion: Float = 0.2

  package init() {}

  package func apply(to steps: inout [CountingStep], in window: MovementWindow) {
    let motion = window.features.motion(at: window.frames)
    /// Each quiet step's return, as a share of that of a period that is not short.
    var returns = [Float](repeating: .infinity, count: steps.count)
    for index in steps.indices where steps[index].isActive && motion[index] <= Self.plainMotion {
      let period = steps[index].period
      // Where sides alternate, the same posture returns after two periods.
      let largest = [1, 2].map { cycles in
        window.features.returningMovement(
          at: index * LagPlanes.step,
          after: Int((Double(cycles) * period * MotionTrack.frameRate).rounded()))
      }.max()
      let share = Float(min(period / Self.swayPeriod, 1))
      returns[index] = (largest ?? 0) / (share * share)
      let isConfident = steps[index].periodicity > Self.highPeriodicity
      let least = isConfident ? Self.leastConfidentReturn : Self.leastReturn
      steps[index].isActive = returns[index] > least
    }
    let uprightness = window.features.uprightness(at: window.frames)
    for run in steps.activeRuns
    where steps[run].reduce(0, { $0 + $1.repetitions }) >= Self.longRun
      && Array(returns[run]).median <= Self.leastLyingReturn
      && Array(uprightness[run]).median <= Self.uprightCosine
    {
      let periodicity = steps[run].reduce(0) { $0 + $1.periodicity } / Double(run.count)
      if periodicity <= Self.highPeriodicity {
        for index in run { steps[index].isActive = false }
      }
    }
  }
}
