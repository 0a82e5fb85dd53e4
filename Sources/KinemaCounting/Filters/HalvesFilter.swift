/// Deactivates runs of few repetitions that differ from one another: a single long movement, there and
/// back, is not two.
///
/// A run is dropped if the body moves against its direction one period earlier, as it is and with
/// left and right exchanged.
package struct HalvesFilter: StepFilter {
  /// The number of repetitions from which on a run is a rhythm by itself.
  static let manyRepetitions = 3.0
  /// The share of a period of which both repetitions must be visible for a comparison.
  static let leastOverlap = 0.25

  package init() {}

  package func apply(to steps: inout [CountingStep], in window: MovementWindow) {
    let features = window.features
    for run in steps.activeRuns {
      guard steps[run].reduce(0, { $0 + $1.repetitions }) < Self.manyRepetitions else { continue }
      let end = min(run.upperBound * LagPlanes.step, features.count)
      let pairs = run.compactMap { index -> (Int, Int)? in
        let frame = index * LagPlanes.step
        let later = frame + Int((steps[index].period * MotionTrack.frameRate).rounded())
        return later < end ? (frame, later) : nil
      }
      let overlap = Double(pairs.count) * CountingStep.duration
      guard overlap > Self.leastOverlap * steps[run.lowerBound].period else { continue }
      let images = [features.whole, features.wholeSwapped, features.wholeMirrored]
      let isUnlike = images.allSatisfy {
        features.whole.covariances(with: $0, at: pairs).reduce(0, +) < 0
      }
      if isUnlike {
        for index in run { steps[index].isActive = false }
      }
    }
  }
}
