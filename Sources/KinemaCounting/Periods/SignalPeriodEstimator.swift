/// Estimates periods without a network: the posture returns after one period, having been elsewhere
/// in between.
///
/// The distance to the posture one lag away is compared with the largest distance at shorter lags
/// (``LagDistances``); dynamic programming finds the cheapest path through rest and periods
/// (``PeriodPath``).
package struct SignalPeriodEstimator: PeriodEstimator {
  /// The weight of each group of features: whole, arms, legs, angles.
  static let weights: [Float] = [1, 1, 1, 0.5]

  /// Under this it takes noise for movement.
  package let leastMotion: Float = 0.20

  package init() {}

  package func periods(
    of track: MotionTrack, features: MotionFeatures
  ) throws -> [FramePeriod] {
    guard track.count > 1 else {
      return track.times.map { FramePeriod(time: $0, period: LagPlanes.lags[0], periodicity: 0) }
    }
    let distances = LagDistances(Self.smoothed(features))
    let path = PeriodPath(costs: distances.ratios())
    var periods = (0..<track.count).map { path.lag(at: $0).map { LagPlanes.lags[$0] } }
    Self.countSides(features, &periods)
    return stride(from: 0, to: track.count, by: LagPlanes.step).map { frame in
      FramePeriod(
        time: track.time(of: frame), period: periods[frame] ?? LagPlanes.lags[0],
        periodicity: periods[frame] == nil ? 0 : 1)
    }
  }

  /// Halves the periods of movements that change sides.
  private static func countSides(_ features: MotionFeatures, _ periods: inout [Double?]) {
    let changes = SideChanges(features)
    var start = 0
    while start < periods.count {
      let isMoving = periods[start] != nil
      let end = periods[start...].firstIndex { ($0 != nil) != isMoving } ?? periods.count
      defer { start = end }
      let known = periods
      guard isMoving,
        changes.alternates(
          in: start..<end, cycle: { (known[$0] ?? 0) * MotionTrack.frameRate })
      else { continue }
      for frame in start..<end {
        periods[frame] = periods[frame].map { max($0 / 2, LagPlanes.lags[0]) }
      }
    }
  }

  /// All groups side by side, each averaged over three frames.
  static func smoothed(_ features: MotionFeatures) -> FeatureGroup {
    let groups = features.groups
    let (count, dimension) = (features.count, groups.reduce(0) { $0 + $1.dimension })
    var values = [Float](repeating: 0, count: count * dimension)
    var column = 0
    for (group, weight) in zip(groups, weights) {
      for frame in 0..<count {
        let (low, high) = (max(frame - 1, 0), min(frame + 2, count))
        for index in 0..<group.dimension {
          var sum: Float = 0
          for other in low..<high { sum += group.values[other * group.dimension + index] }
          values[frame * dimension + column + index] = sum * weight / Float(high - low)
        }
      }
      column += group.dimension
    }
    return FeatureGroup(dimension: dimension, values: values)
  }
}
