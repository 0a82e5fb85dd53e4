import Foundation

/// A Kalman filter of a position with nearly constant velocity, in sizes.
///
/// Bar-Shalom, Li and Kirubarajan, *Estimation with Applications to Tracking and Navigation*, 2001,
/// section 6.2.2 (continuous white noise acceleration). Both directions share one covariance.
package struct TrackMotion: Sendable {
  /// The last measured or predicted position, in pixels.
  package private(set) var position: SIMD2<Float>
  /// In pixels a second.
  package private(set) var velocity = SIMD2<Float>.zero
  /// The size in pixels.
  package private(set) var size: Float
  /// The time of the last measurement, in seconds.
  package private(set) var time: Double
  private let rules: TrackingRules
  private var placeVariance: Float
  private var covariance: Float = 0
  private var speedVariance: Float

  package init(_ detection: Detection, at time: Double, rules: TrackingRules) {
    (position, size) = (detection.position, detection.size)
    (self.time, self.rules) = (time, rules)
    placeVariance = rules.placeNoise * rules.placeNoise
    speedVariance = rules.firstSpeed * rules.firstSpeed
  }

  /// The predicted position at a time, in pixels.
  package func position(at time: Double) -> SIMD2<Float> {
    let step = step(to: time)
    let (x, y) = (rules.persistence.x, rules.persistence.y)
    // The distance travelled at an initial speed of 1.
    return position + velocity * SIMD2(x * (1 - exp(-step / x)), y * (1 - exp(-step / y)))
  }

  /// The standard deviation of the prediction, in sizes.
  package func uncertainty(at time: Double) -> Float {
    predictedPlaceVariance(after: step(to: time)).squareRoot()
  }

  /// The negative log likelihood of a position, from 0 to ``TrackingRules/limits``.
  ///
  /// The longer the absence, the less is known of the way.
  package func cost(of detection: Detection, at time: Double) -> Float {
    let absence = max(0, Float(time - self.time) - rules.shortAbsence)
    let away = (detection.position - position(at: time)).length / size
    let spread = uncertainty(at: time) + rules.placeSpread + rules.absenceSpread * absence
    return min(away * away / (spread * spread) / 2, rules.limits.place)
  }

  /// Updates the filter.
  ///
  /// - Parameter trust: Confidence from 0 to 1 that the detection is this track's.
  package mutating func update(_ detection: Detection, at time: Double, trust: Float) {
    let step = step(to: time)
    guard step > 0 else { return }
    let expected = position(at: time)
    let place = predictedPlaceVariance(after: step)
    let both = covariance + step * speedVariance + rules.agility * step * step / 2
    let speed = speedVariance + rules.agility * step
    let noise = rules.placeNoise * rules.placeNoise / max(trust * trust, 1e-4)
    let gain = (place: place / (place + noise), speed: both / (place + noise))
    let surprise = detection.position - expected
    position = expected + surprise * gain.place
    velocity += surprise * gain.speed * (trust < 1 ? rules.crowdedGain : 1)
    placeVariance = place * (1 - gain.place)
    covariance = both * (1 - gain.place)
    speedVariance = speed - gain.speed * both
    size += (detection.size - size) * rules.sizeWeight * trust
    self.time = time
  }

  private func step(to time: Double) -> Float { Float(max(0, time - self.time)) }

  private func predictedPlaceVariance(after step: Float) -> Float {
    placeVariance + 2 * step * covariance + step * step * speedVariance
      + rules.agility * step * step * step / 3
  }

  /// The negative log likelihood that a later state continues this one, from 0.
  ///
  /// Position and velocity of both are uncertain; in between the speed changes by chance.
  package func cost(of later: TrackMotion) -> Float {
    let step = step(to: later.time)
    let place = predictedPlaceVariance(after: step) + later.placeVariance
    let both =
      covariance + step * speedVariance + rules.agility * step * step / 2 + later.covariance
    let speed = speedVariance + rules.agility * step + later.speedVariance
    let size = max(size, later.size)
    let away = (later.position - position - velocity * step) / size
    let change = (later.velocity - velocity) / size
    let sum = speed * away * away - 2 * both * away * change + place * change * change
    return sum.sum() / max(place * speed - both * both, 1e-12) / 2
  }

  /// The position on a smooth way to a later state: a cubic Hermite spline.
  package func position(at time: Double, towards later: TrackMotion) -> SIMD2<Float> {
    let whole = step(to: later.time)
    guard whole > 0 else { return position }
    let share = min(step(to: time) / whole, 1)
    let (square, cube) = (share * share, share * share * share)
    let places = position * (2 * cube - 3 * square + 1) + later.position * (3 * square - 2 * cube)
    let speeds = velocity * (cube - 2 * square + share) + later.velocity * (cube - square)
    return places + speeds * whole
  }
}
