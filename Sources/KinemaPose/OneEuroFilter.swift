/// Smooths a moving point: strongly at rest, weakly at speed.
///
/// Casiez, Roussel, Vogel, *1 € Filter: A Simple Speed-based Low-pass Filter for Noisy Input in
/// Interactive Systems*, CHI 2012, §3.
package struct OneEuroFilter: Sendable {
  /// The cut-off frequency at rest, in hertz.
  package var minimumCutoff: Float
  /// The increase of the cut-off with speed, in hertz per body size per second.
  package var speedCoefficient: Float
  /// The cut-off frequency of the speed itself, in hertz.
  package var speedCutoff: Float

  private var time: Double?
  private var last = SIMD2<Float>.zero
  private var smoothed = SIMD2<Float>.zero
  private var speed = SIMD2<Float>.zero

  package init(minimumCutoff: Float, speedCoefficient: Float, speedCutoff: Float = 1) {
    self.minimumCutoff = minimumCutoff
    self.speedCoefficient = speedCoefficient
    self.speedCutoff = speedCutoff
  }

  /// The next location in any unit, smoothed; one that is not later than the last stays unchanged.
  package mutating func smoothed(
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
    let frequency = Float(1 / (time - previous))
    func weight(ofCutoff cutoff: Float) -> Float { 1 / (1 + frequency / (2 * .pi * cutoff)) }
    let newSpeed = (value - last) / max(bodySize, 1e-6) * frequency
    last = value
    speed = speed + (newSpeed - speed) * weight(ofCutoff: speedCutoff)
    for axis in 0..<2 {
      let cutoff = minimumCutoff + speedCoefficient * abs(speed[axis])
      smoothed[axis] += (value[axis] - smoothed[axis]) * weight(ofCutoff: cutoff)
    }
    return smoothed
  }
}
