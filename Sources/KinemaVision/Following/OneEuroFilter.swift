/// Smooths a moving point: strongly while it rests, hardly while it moves fast.
///
/// Casiez, Roussel, Vogel, *1 € Filter*, CHI 2012. The parameters are those with which MediaPipe
/// steadies the two points that a region is made of (`pose_landmarks_to_roi` branch of its graph).
struct OneEuroFilter {
  /// The cut-off frequency at rest, in hertz.
  static let minimumCutoff: Float = 0.01
  /// How fast the cut-off rises with speed (body sizes a second).
  static let speedCoefficient: Float = 10
  /// The cut-off frequency of the speed itself, in hertz.
  static let speedCutoff: Float = 1

  private var time: Double?
  private var frequency: Float = 30
  private var last = SIMD2<Float>.zero
  private var smoothed = SIMD2<Float>.zero
  private var speed = SIMD2<Float>.zero

  /// Takes the next place and returns the smoothed one.
  ///
  /// - Parameters:
  ///   - value: The place in pixels.
  ///   - time: When it was there, in seconds. A place that is not later than the one before passes
  ///     unchanged, and is forgotten.
  ///   - bodySize: The size in pixels of what the point belongs to.
  mutating func smoothed(
    _ value: SIMD2<Float>, at time: Double, bodySize: Float
  ) -> SIMD2<Float> {
    guard let previous = self.time else {
      self.time = time
      last = value
      smoothed = value
      return value
    }
    guard time > previous else { return value }
    self.time = time
    frequency = Float(1 / (time - previous))
    let newSpeed = (value - last) / max(bodySize, 1e-6) * frequency
    last = value
    let speedWeight = weight(ofCutoff: Self.speedCutoff)
    speed = speed + (newSpeed - speed) * speedWeight
    for axis in 0..<2 {
      let cutoff = Self.minimumCutoff + Self.speedCoefficient * abs(speed[axis])
      smoothed[axis] += (value[axis] - smoothed[axis]) * weight(ofCutoff: cutoff)
    }
    return smoothed
  }

  private func weight(ofCutoff cutoff: Float) -> Float {
    1 / (1 + frequency / (2 * .pi * cutoff))
  }
}
