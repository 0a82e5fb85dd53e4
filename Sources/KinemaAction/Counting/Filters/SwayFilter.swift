/// Deactivates steps whose recurring movement is no larger than the breathing and swaying of a still
/// person.
package struct SwayFilter: StepFilter {
  /// The recurring movement in body sizes (``MotionFeatures/returningMovement(at:after:)``) under
  /// which it may be sway.
  static let leastReturn: Float = 0.04
  /// The same where the periodicity is above ``highPeriodicity``.
  static let leastConfidentReturn: Float = 0.025
  static let highPeriodicity = 0.95
  /// The period in seconds from which on sway is this large; at shorter ones it is smaller by the
  /// square of the period, as the displacement that a given force causes.
  static let swayPeriod = 1.5
  /// The motion, as of ``MotionFeatures/motion(at:)``, above which it is no sway.
  static let plainMotion: Float = 0.2

  package init() {}

  package func apply(to steps: inout [CountingStep], in window: MovementWindow) {
    let motion = window.features.motion(at: window.frames)
    for index in steps.indices where steps[index].isActive && motion[index] <= Self.plainMotion {
      let (step, frame) = (steps[index], index * LagPlanes.step)
      let share = Float(min(step.period / Self.swayPeriod, 1))
      let isConfident = step.periodicity > Self.highPeriodicity
      let least = share * share * (isConfident ? Self.leastConfidentReturn : Self.leastReturn)
      // Where sides alternate, the same posture returns after two periods.
      steps[index].isActive = [1, 2].contains { cycles in
        let lag = Int((Double(cycles) * step.period * MotionTrack.frameRate).rounded())
        return window.features.returningMovement(at: frame, after: lag) > least
      }
    }
  }
}
