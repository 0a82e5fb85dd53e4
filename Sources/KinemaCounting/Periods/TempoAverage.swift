import Foundation

/// Runs an estimator on a movement at several tempos and returns the mean of its probabilities.
///
/// A movement that is played slower or quicker has other lags, where the network errs in other ways
/// (Krizhevsky et al., *ImageNet classification with deep convolutional neural networks*, 2012,
/// took such means over shifted and mirrored pictures).
package struct TempoAverage: PeriodEstimator {
  /// By how many lags the movement is made longer.
  static let shifts = [-4, -2, 2, 4]
  /// Added to probabilities, so that a single 0 excludes nothing.
  private static let smoothing: Float = 1e-4

  /// The periods between the shortest and the longest lag.
  private static let range = LagPlanes.lags[0]...LagPlanes.lags[LagPlanes.lagCount - 1]

  private let base: any PeriodEstimator

  /// - Parameter base: An estimator that returns probabilities.
  package init(_ base: any PeriodEstimator) { self.base = base }

  package var leastMotion: Float { base.leastMotion }

  package func periods(of track: MotionTrack, features: MotionFeatures) throws -> [FramePeriod] {
    let plain = try base.periods(of: track, features: features)
    var sums = plain.map { $0.probabilities.map { logf($0 + Self.smoothing) } }
    var counts = [Float](repeating: 1, count: plain.count)
    for shift in Self.shifts {
      let factor = exp2(Double(shift) / LagPlanes.lagsPerOctave)
      let others = try base.periods(of: track.slowed(by: factor))
      guard let last = others.indices.last else { continue }
      for index in plain.indices where Self.range.contains(plain[index].period * factor) {
        let other = others[min(Int((Double(index) * factor).rounded()), last)]
        let shifted = Self.shifted(other.probabilities, by: shift)
        for state in shifted.indices { sums[index][state] += logf(shifted[state] + Self.smoothing) }
        counts[index] += 1
      }
    }
    return plain.indices.map { index in
      let means = sums[index].map { expf($0 / counts[index]) }
      let total = means.reduce(0, +)
      return FramePeriod(time: plain[index].time, probabilities: means.map { $0 / total })
    }
  }

  /// The probabilities for the movement as it is, from those for one that is longer by some lags.
  private static func shifted(_ probabilities: [Float], by shift: Int) -> [Float] {
    let lags = (0..<LagPlanes.lagCount).map { lag in
      (0..<LagPlanes.lagCount).contains(lag + shift) ? probabilities[1 + lag + shift] : 0
    }
    let row = [probabilities[0]] + lags
    let total = row.reduce(0, +)
    return total > 0 ? row.map { $0 / total } : row
  }
}
