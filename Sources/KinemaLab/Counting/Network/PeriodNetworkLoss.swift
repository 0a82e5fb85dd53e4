import Glibc

package struct PeriodNetworkSample: Sendable {
  /// The planes, [inputChannels, times, lags].
  package var planes: [Float]
  /// The true period at each time in seconds; 0 for rest, negative where it is unknown.
  package var periods: [Float]
  /// How many repetitions there are, with fractions of those that the ends cut off; `nil` where
  /// it is unknown.
  package var count: Float?

  package init(planes: [Float], periods: [Float], count: Float?) {
    self.planes = planes
    self.periods = periods
    self.count = count
  }
}

/// The loss: the cross-entropy with the true period, spread over the neighbouring lags, plus the relative error of the count that the probabilities add up to.
package struct PeriodNetworkLoss: Codable, Hashable, Sendable {
  /// The lags in seconds.
  package var lags: [Float]
  /// The seconds from one time to the next.
  package var timeStep: Float
  /// How far a true period is spread, in lags: the standard deviation.
  package var spread: Float
  /// The weight of |Σ 1/period − count| / (count + 1).
  package var countWeight: Float

  package init(lags: [Float], timeStep: Float, spread: Float = 1, countWeight: Float = 0.5) {
    self.lags = lags
    self.timeStep = timeStep
    self.spread = spread
    self.countWeight = countWeight
  }

  /// The loss, and its gradient with respect to the scores before the softmax, [times, states].
  func evaluate(_ probabilities: [Float], _ sample: PeriodNetworkSample) -> (Float, [Float]) {
    let states = lags.count + 1
    let times = sample.periods.count
    var gradient = [Float](repeating: 0, count: times * states)
    var loss: Float = 0
    let known = sample.periods.count { $0 >= 0 }
    let weight = known > 0 ? 1 / Float(known) : 0
    var targets = [Float](repeating: 0, count: states)
    for time in 0..<times where sample.periods[time] >= 0 {
      setTargets(&targets, period: sample.periods[time])
      for state in 0..<states {
        let probability = probabilities[time * states + state]
        if targets[state] > 0 { loss -= weight * targets[state] * logf(max(probability, 1e-12)) }
        gradient[time * states + state] = weight * (probability - targets[state])
      }
    }
    if let count = sample.count, countWeight > 0 {
      loss += addCount(count, probabilities, sample.periods, to: &gradient)
    }
    return (loss, gradient)
  }

  private func setTargets(_ targets: inout [Float], period: Float) {
    for state in targets.indices { targets[state] = 0 }
    guard period > 0 else {
      targets[0] = 1
      return
    }
    let octave = log2f(lags[1] / lags[0])
    let place = min(max(log2f(period / lags[0]) / octave, 0), Float(lags.count - 1))
    var sum: Float = 0
    for lag in lags.indices {
      let away = (Float(lag) - place) / spread
      guard abs(away) < 4 else { continue }
      targets[lag + 1] = expf(-0.5 * away * away)
      sum += targets[lag + 1]
    }
    for state in 1..<targets.count { targets[state] /= sum }
  }

  private func addCount(
    _ count: Float, _ probabilities: [Float], _ periods: [Float], to gradient: inout [Float]
  ) -> Float {
    let states = lags.count + 1
    var total: Float = 0
    var rates = [Float](repeating: 0, count: periods.count)
    for time in periods.indices {
      for lag in lags.indices {
        rates[time] += probabilities[time * states + lag + 1] * timeStep / lags[lag]
      }
      total += rates[time]
    }
    let scale = countWeight / (count + 1)
    let slope = total > count ? scale : -scale
    for time in periods.indices {
      for state in 0..<states {
        let rate = state == 0 ? 0 : timeStep / lags[state - 1]
        gradient[time * states + state] +=
          slope * probabilities[time * states + state] * (rate - rates[time])
      }
    }
    return scale * abs(total - count)
  }
}
