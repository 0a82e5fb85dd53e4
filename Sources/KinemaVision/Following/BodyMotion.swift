import Foundation

/// Where a body is and how fast it moves, from places that are a little off: a Kalman filter that
/// takes the velocity to be constant but for random pushes.
///
/// Bar-Shalom, Li and Kirubarajan, *Estimation with Applications to Tracking and Navigation*, 2001,
/// section 6.2.2 (continuous white noise acceleration). Both directions share one covariance. Lengths
/// inside are counted in sizes of the body, so that near and far people are treated alike.
struct BodyMotion {
  /// The variance of a change of speed in a second, in (sizes a second)²: who walks turns round in
  /// half a second.
  private static let agility: Float = 0.4
  /// How far off a place is, in sizes.
  private static let placeNoise: Float = 0.015
  /// How fast somebody is of whom nothing is known, in sizes a second.
  private static let firstSpeed: Float = 0.4
  /// The share that a frame has in the size.
  private static let sizeWeight: Float = 0.15
  /// In what time the speed of somebody who is not seen fades to a third, to the sides and up and
  /// down, in seconds: who walks walks on, who rises mostly sinks again.
  private static let persistence = SIMD2<Float>(0.6, 0.15)
  /// The share of a change of speed that is believed while others are near.
  private static let doubtfulShare: Float = 0.4

  /// Where the body was last seen or, in between, taken to be; in pixels.
  private(set) var position: SIMD2<Float>
  /// In pixels a second.
  private(set) var velocity = SIMD2<Float>.zero
  /// The size in pixels.
  private(set) var size: Float
  /// When that was, in seconds.
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

  /// Where the body is expected at a time, in pixels.
  func position(at time: Double) -> SIMD2<Float> {
    position + velocity * way(in: step(to: time))
  }

  /// How much way is made in a time at a speed of 1, to the sides and up and down, when the speed fades.
  private func way(in time: Float) -> SIMD2<Float> {
    let fading = SIMD2(exp(-time / Self.persistence.x), exp(-time / Self.persistence.y))
    return Self.persistence * (1 - fading)
  }

  /// How far off the expectation is: a standard deviation in sizes.
  func uncertainty(at time: Double) -> Float {
    predictedPlaceVariance(after: step(to: time)).squareRoot()
  }

  /// Takes the next place.
  ///
  /// - Parameter trust: How sure it is that the place is this body's; at 1 quite, at 0 not at all.
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
