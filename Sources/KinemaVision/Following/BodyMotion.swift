import Foundation

/// A Kalman filter of a body's position with nearly constant velocity, in body sizes.
///
/// Bar-Shalom, Li and Kirubarajan, *Estimation with Applications to Tracking and Navigation*, 2001,
/// section 6.2.2 (continuous white noise acceleration). Both directions share one covariance.
struct BodyMotion {
  /// Variance of a change of speed in a second, in (sizes a second)²: a walking person turns round
  /// in half a second.
  private static let agility: Float = 0.4
  /// Standard deviation of a measured position, in sizes.
  private static let placeNoise: Float = 0.015
  /// Initial standard deviation of the speed, in sizes a second.
  private static let firstSpeed: Float = 0.4
  /// The weight of a frame in the size.
  private static let sizeWeight: Float = 0.15
  /// The time in which the speed of an occluded person decays to a third, horizontally and
  /// vertically, in seconds: walking continues, rising mostly reverses.
  private static let persistence = SIMD2<Float>(0.6, 0.15)
  /// The weight of a change of speed while others are near.
  private static let doubtfulShare: Float = 0.4

  /// The last measured or predicted position, in pixels.
  private(set) var position: SIMD2<Float>
  /// In pixels a second.
  private(set) var velocity = SIMD2<Float>.zero
  /// The size in pixels.
  private(set) var size: Float
  /// The time of the last measurement, in seconds.
  private(set) var time: Double
  private var placeVariance: Float
  private var covariance: Float = 0
  private var speedVariance: Float

  init(position: SIMD2<Float>, size: Float, at time: Double) {
    self.position = position
    self.size = max(size, 1)
    self.time = time
    placeVariance = Self.placeNoise * Self.placeNoise
    speedVariance = Self.firstSpeed * Self.firstSpeed
  }

  /// The predicted position at a time, in pixels.
  func position(at time: Double) -> SIMD2<Float> {
    position + velocity * way(in: step(to: time))
  }

  /// The distance travelled in a time at an initial speed of 1, horizontally and vertically.
  private func way(in time: Float) -> SIMD2<Float> {
    let fading = SIMD2(exp(-time / Self.persistence.x), exp(-time / Self.persistence.y))
    return Self.persistence * (1 - fading)
  }

  /// The standard deviation of the prediction, in sizes.
  func uncertainty(at time: Double) -> Float {
    predictedPlaceVariance(after: step(to: time)).squareRoot()
  }

  /// Updates the filter.
  ///
  /// - Parameter trust: Confidence from 0 to 1 that the position is this body's.
  mutating func update(
    position seen: SIMD2<Float>, size seenSize: Float, at time: Double, trust: Float
  ) {
    let step = step(to: time)
    guard step > 0 else { return }
    let expected = position(at: time)
    let place = predictedPlaceVariance(after: step)
    let both = covariance + step * speedVariance + Self.agility * step * step / 2
    let speed = speedVariance + Self.agility * step
    let noise = Self.placeNoise * Self.placeNoise / max(trust * trust, 1e-4)
    let gain = (place: place / (place + noise), speed: both / (place + noise))
    let surprise = seen - expected
    position = expected + surprise * gain.place
    velocity += surprise * gain.speed * (trust < 1 ? Self.doubtfulShare : 1)
    placeVariance = place * (1 - gain.place)
    covariance = both * (1 - gain.place)
    speedVariance = speed - gain.speed * both
    size += (max(seenSize, 1) - size) * Self.sizeWeight * trust
    self.time = time
  }

  private func step(to time: Double) -> Float { Float(max(0, time - self.time)) }

  private func predictedPlaceVariance(after step: Float) -> Float {
    placeVariance + 2 * step * covariance + step * step * speedVariance
      + Self.agility * step * step * step / 3
  }
}
