/// Random numbers that change smoothly: a cosine from one knot to the next.
package struct SmoothNoise: Sendable {
  private let knots: [Float]
  private let spacing: Double

  /// Draws noise.
  ///
  /// - Parameters:
  ///   - spacing: The distance of knots in seconds, or frames.
  ///   - amplitude: The standard deviation at the knots.
  ///   - duration: The duration in the same unit.
  package init(
    spacing: Double, amplitude: Float, duration: Double, using generator: inout SeededGenerator
  ) {
    self.spacing = spacing
    // It starts somewhere between two knots.
    knots = (0..<(Int(duration / spacing) + 3)).map { _ in amplitude * generator.quickNormal() }
  }

  package func value(at time: Double) -> Float {
    let place = time / spacing
    let index = min(max(0, Int(place)), knots.count - 2)
    let share = Float(place - Double(index))
    let weight = share * share * (3 - 2 * share)
    return knots[index] + (knots[index + 1] - knots[index]) * weight
  }
}

extension SeededGenerator {
  /// A number with mean 0 and standard deviation 1, about normal: four uniform ones of one draw.
  package mutating func quickNormal() -> Float {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Float(sum) * 0x1p-16 - 2) * 1.732_050_8
  }
}
