/// One rule about which steps count, a pure function of the steps and of the movement they lie in.
package protocol StepFilter: Sendable {
  /// Changes the steps of a window: deactivates or activates some, or corrects their periods.
  func apply(to steps: inout [CountingStep], in window: MovementWindow)
}

/// The movement that filters examine beside the steps.
package struct MovementWindow {
  /// The features of the window's frames; step `i` begins at frame `i * LagPlanes.step`.
  package let features: MotionFeatures
  /// For each step, whether the person was visible.
  package let isVisible: [Bool]

  package init(_ track: MotionTrack, features: MotionFeatures) {
    self.features = features
    isVisible = stride(from: 0, to: track.count, by: LagPlanes.step).map { track.isValid[$0] }
  }

  package init(_ track: MotionTrack) { self.init(track, features: MotionFeatures(track)) }

  /// The frame at which each step begins.
  var frames: [Int] { isVisible.indices.map { $0 * LagPlanes.step } }
}

/// Steps 1 and 2 of counting: estimates the periods of a window, then applies the filters in order.
package struct StepFinder: Sendable {
  let estimator: any PeriodEstimator
  package let filters: [any StepFilter]

  /// - Parameters:
  ///   - estimator: Estimates the period of each step.
  ///   - countsPairs: Whether the two sides of an alternating movement are one repetition.
  package init(_ estimator: any PeriodEstimator, countsPairs: Bool = false) {
    self.estimator = estimator
    filters =
      [
        RhythmFilter(leastMotion: estimator.leastMotion), SwayFilter(), HoleFilter(),
        HalvesFilter(), StillnessFilter(),
      ] + (countsPairs ? [SidesFilter()] : [])
  }

  /// The steps of a window.
  ///
  /// - Throws: ``ModelFileError`` where the network cannot be run.
  package func steps(of track: MotionTrack) throws -> [CountingStep] {
    let features = MotionFeatures(track)
    var steps = try estimator.periods(of: track, features: features).map {
      CountingStep(
        time: $0.time, period: $0.period, periodicity: $0.periodicity, isActive: $0.period > 0)
    }
    let window = MovementWindow(track, features: features)
    for filter in filters { filter.apply(to: &steps, in: window) }
    return steps
  }
}
