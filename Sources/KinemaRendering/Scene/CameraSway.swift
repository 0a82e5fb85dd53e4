import Foundation
import KinemaSynth

/// How a camera moves: it swings round its target, tilts, comes nearer, and shakes in the hand.
struct CameraSway: Hashable, Sendable {
  /// A slow and a fast sine.
  private struct Wave: Hashable, Sendable {
    let reach, tremble: Float
    let frequency: Double
    let phases: SIMD2<Double>

    init(_ reach: ClosedRange<Float>, tremble: Float, using generator: inout SeededGenerator) {
      self.reach = generator.uniform(reach)
      self.tremble = tremble
      frequency = Double(generator.uniform(0.1...0.2))
      phases = SIMD2(Double(generator.uniform(0...6.28)), Double(generator.uniform(0...6.28)))
    }

    /// Trembles per second.
    private static let trembleFrequency = 2.3

    func value(at time: Double) -> Float {
      reach * Float(sin(2 * .pi * frequency * time + phases[0]))
        + tremble * Float(sin(2 * .pi * Self.trembleFrequency * time + phases[1]))
    }
  }

  private let yaw, pitch, nearness, across: Wave

  /// A camera that swings through at least 15 degrees.
  init(using generator: inout SeededGenerator) {
    yaw = Wave(8...16, tremble: 0.15, using: &generator)
    pitch = Wave(0.5...2, tremble: 0.15, using: &generator)
    nearness = Wave(0.03...0.1, tremble: 0, using: &generator)
    across = Wave(0.1...0.3, tremble: 0.005, using: &generator)
  }

  func applied(to viewpoint: Viewpoint, at time: Double) -> Viewpoint {
    var moved = viewpoint
    moved.yawDegrees += yaw.value(at: time)
    moved.pitchDegrees += pitch.value(at: time)
    moved.distance *= 1 + nearness.value(at: time)
    moved.target += viewpoint.axes.right * across.value(at: time)
    return moved
  }
}
