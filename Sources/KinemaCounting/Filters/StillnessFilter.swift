/// Deactivates the ends of a run in which the body is still.
///
/// A part of a period stays: many movements begin and end with a hold.
package struct StillnessFilter: StepFilter {
  /// The share of the run's median liveliness under which a body is still.
  static let stillShare: Float = 0.2
  /// How long a hold at either end may be, as a share of the period.
  static let longestHold = 0.3

  package init() {}

  package func apply(to steps: inout [CountingStep], in window: MovementWindow) {
    let liveliness = window.features.liveliness(at: window.frames)
    for run in steps.activeRuns {
      let least = Self.stillShare * liveliness[run].sorted()[run.count / 2]
      guard let first = run.first(where: { liveliness[$0] >= least }),
        let last = run.last(where: { liveliness[$0] >= least })
      else { continue }
      func excess(_ still: Int, beside step: Int) -> Int {
        max(0, Int(Double(still) - Self.longestHold * steps[step].period / CountingStep.duration))
      }
      let lead = excess(first - run.lowerBound, beside: first)
      let tail = excess(run.upperBound - 1 - last, beside: last)
      for index in run.prefix(lead) + run.suffix(tail) { steps[index].isActive = false }
    }
  }
}
