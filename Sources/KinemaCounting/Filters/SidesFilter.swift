/// Doubles the periods of alternating movements, so that left and right are one repetition.
package struct SidesFilter: StepFilter {
  package init() {}

  package func apply(to steps: inout [CountingStep], in window: MovementWindow) {
    let changes = SideChanges(window.features)
    for run in steps.activeRuns {
      let single = steps
      let start = run.lowerBound * LagPlanes.step
      let end = min(run.upperBound * LagPlanes.step, window.features.count)
      let alternates = changes.alternates(in: start..<end) {
        2 * single[$0 / LagPlanes.step].period * MotionTrack.frameRate
      }
      if alternates {
        for index in run { steps[index].period *= 2 }
      }
    }
  }
}
