import Foundation

/// Involuntary small movements: two slow waves on trunk, head and free arms.
package struct Sway: Sendable {
  private struct Wave: Sendable {
    let frequency: Float
    let phase: Float
    var amplitude: Float

    init(amplitude: Float, using generator: inout SeededGenerator) {
      frequency = generator.uniform(0.15...0.7)
      phase = generator.uniform(0...(2 * .pi))
      self.amplitude = amplitude * generator.uniform(0.4...1)
    }

    func value(at time: Double) -> Float {
      amplitude * sin(2 * .pi * frequency * Float(time) + phase)
    }
  }

  private var pitch, roll, twist, nod, turn, leftArm, rightArm: [Wave]

  package init(using generator: inout SeededGenerator) {
    func waves(_ amplitude: Float, _ generator: inout SeededGenerator) -> [Wave] {
      (0..<2).map { _ in Wave(amplitude: amplitude, using: &generator) }
    }
    pitch = waves(0.015, &generator)
    roll = waves(0.012, &generator)
    twist = waves(0.03, &generator)
    nod = waves(0.04, &generator)
    turn = waves(0.06, &generator)
    leftArm = waves(0.04, &generator)
    rightArm = waves(0.04, &generator)
  }

  /// So many times as far.
  package func scaled(by factor: Float) -> Sway {
    var sway = self
    for waves in [\Sway.pitch, \.roll, \.twist, \.nod, \.turn, \.leftArm, \.rightArm] {
      for index in sway[keyPath: waves].indices {
        sway[keyPath: waves][index].amplitude *= factor
      }
    }
    return sway
  }

  /// The posture with the sway of the moment; the pelvis, planted hands and feet stay in place.
  package func applied(to posture: Posture, at time: Double) -> Posture {
    func value(_ waves: [Wave]) -> Float { waves.reduce(0) { $0 + $1.value(at: time) } }
    var posture = posture
    posture.pitch += value(pitch)
    posture.roll += value(roll)
    posture.twist += value(twist)
    posture.nod += value(nod)
    posture.turn += value(turn)
    posture.left.armRaise += value(leftArm)
    posture.right.armRaise += value(rightArm)
    return posture
  }
}
