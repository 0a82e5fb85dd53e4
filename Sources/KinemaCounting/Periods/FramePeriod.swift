import Foundation

/// The period of a movement at one moment.
package struct FramePeriod: Hashable, Sendable {
  /// The time in seconds.
  package var time: Double
  /// The time that one repetition takes, in seconds; each side of a movement that changes sides is
  /// one.
  package var period: Double
  /// The confidence that there is a repetition, from 0 to 1: 1 − P(rest).
  package var periodicity: Double
  /// The probability of rest, then of each of ``LagPlanes/lags`` being the period; empty where the
  /// method has none.
  package var probabilities: [Float]

  package init(
    time: Double, period: Double, periodicity: Double, probabilities: [Float] = []
  ) {
    self.time = time
    self.period = period
    self.periodicity = periodicity
    self.probabilities = probabilities
  }

  /// How many lags on either side of the median take part in the period.
  private static let reach = 3

  /// The period by the probabilities of rest and of each lag: the geometric mean round the median of
  /// the lags.
  package init(time: Double, probabilities: [Float]) {
    let lags = probabilities.dropFirst().map(Double.init)
    let half = lags.reduce(0, +) / 2
    var (sum, median) = (0.0, 0)
    for (index, probability) in lags.enumerated() {
      sum += probability
      median = index
      if sum >= half { break }
    }
    var (weight, logarithm) = (0.0, 0.0)
    for index in max(0, median - Self.reach)...min(lags.count - 1, median + Self.reach) {
      weight += lags[index]
      logarithm += lags[index] * log(LagPlanes.lags[index])
    }
    self.init(
      time: time, period: weight > 0 ? exp(logarithm / weight) : LagPlanes.lags[median],
      periodicity: 1 - Double(probabilities[0]), probabilities: probabilities)
  }
}
