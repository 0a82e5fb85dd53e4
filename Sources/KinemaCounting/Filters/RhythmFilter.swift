/// Deactivates steps that are probably not periodic, and those with hardly any motion.
package struct RhythmFilter: StepFilter {
  /// The periodicity above which a movement counts: more likely than not.
  static let leastPeriodicity = 0.5
  /// The same for quick movements, of which a few repetitions are over before the network is
  /// confident.
  static let leastQuickPeriodicity = 0.3
  /// The period in seconds under which a movement is quick.
  static let quickPeriod = 0.8

  /// The motion, as of ``MotionFeatures/motion(at:)``, under which nothing counts.
  let leastMotion: Float

  package init(leastMotion: Float) { self.leastMotion = leastMotion }

  package func apply(to steps: inout [CountingStep], in window: MovementWindow) {
    let motion = window.features.motion(at: window.frames)
    for index in steps.indices {
      let isQuick = steps[index].period < Self.quickPeriod
      let least = isQuick ? Self.leastQuickPeriodicity : Self.leastPeriodicity
      if steps[index].periodicity <= least || motion[index] <= leastMotion {
        steps[index].isActive = false
      }
    }
  }
}
