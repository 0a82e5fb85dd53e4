/// Two frames of the grid (2/15 s): the period there, and whether it counts.
package struct CountingStep: Hashable, Sendable {
  /// The length of a step in seconds.
  package static let duration = Double(LagPlanes.step) / MotionTrack.frameRate

  /// The time at which the step begins, in seconds.
  package var time: Double
  /// The duration of one repetition in seconds.
  package var period: Double
  /// The confidence that the movement is periodic, from 0 to 1.
  package var periodicity: Double
  /// Whether the step counts: each ``StepFilter`` may change it.
  package var isActive: Bool

  package init(time: Double, period: Double, periodicity: Double = 1, isActive: Bool = true) {
    self.time = time
    self.period = period
    self.periodicity = periodicity
    self.isActive = isActive
  }

  /// The repetitions done in the step, a fraction of one.
  package var repetitions: Double { isActive ? Self.duration / period : 0 }
}

extension [CountingStep] {
  /// The ranges of consecutive active steps.
  package var activeRuns: [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in indices where self[index].isActive {
      if let last = runs.last, last.upperBound == index,
        self[index].follows(self[index - 1])
      {
        runs[runs.count - 1] = last.lowerBound..<(index + 1)
      } else {
        runs.append(index..<(index + 1))
      }
    }
    return runs
  }
}

extension CountingStep {
  /// Whether no step is missing between another one and this one.
  func follows(_ other: CountingStep) -> Bool { time - other.time <= 1.5 * Self.duration }
}
