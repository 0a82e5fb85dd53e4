import Foundation

/// Irregular movement without repetitions: postures of a motion in random order and duration,
/// mixed, with occasional gestures of a few different strokes.
package struct IdleScript: Sendable {
  package private(set) var keys: [(time: Double, posture: Posture)] = []
  private let postures: [Posture]
  private let pace: ClosedRange<Float>
  private let gestures: Float
  private let holds: Float

  /// Writes a script up to `end` or later; `gesturing`, 0 to 1, is how often a hand moves.
  package init(
    _ postures: [Posture], from start: Double, until end: Double, gesturing: Float,
    in style: inout Style
  ) {
    self.postures = postures
    let quickest = style.uniform(0.35...1.2)
    pace = quickest...(quickest * style.uniform(2...6))
    gestures = gesturing
    holds = style.uniform(0.1...0.6)
    let span = log(pace.upperBound / pace.lowerBound)
    var time = start
    var current = postures[0]
    while time < end {
      if style.chance(gestures) {
        appendGesture(from: current, at: &time, in: &style)
      } else {
        time += Double(pace.lowerBound * exp(span * style.uniform(0...1)))
        current = mixed(in: &style)
        keys.append((time, current))
      }
      if style.chance(holds) {
        time += Double(exp(style.uniform(log(0.3)...log(6))))
        keys.append((time, current))
      }
    }
  }

  /// Writes a script of one of ``Motion/idle``, with gestures for talking.
  package init(
    of motion: Motion, in postures: [Posture], from start: Double, until end: Double,
    in style: inout Style
  ) {
    let gestures: Float = motion.name.contains("talking") ? style.uniform(0.2...0.6) : 0
    self.init(postures, from: start, until: end, gesturing: gestures, in: &style)
  }

  /// Somewhere between two of the postures, or a little beyond.
  private func mixed(in style: inout Style) -> Posture {
    let (from, to) = (style.pick(postures), style.pick(postures))
    guard from.left.planted == to.left.planted, from.right.planted == to.right.planted else {
      return from
    }
    return Posture(lanes: from.lanes + (to.lanes - from.lanes) * style.uniform(-0.2...1.2))
  }

  /// One to three strokes of a hand or both, of other sizes and speeds each.
  private mutating func appendGesture(
    from base: Posture, at time: inout Double, in style: inout Style
  ) {
    let isLeft = style.chance(0.5)
    let isBoth = style.chance(0.3)
    for _ in 0..<Int(style.uniform(1...3.99)) {
      let size = exp(style.uniform(log(0.15)...log(1)))
      let change = SIMD3(style.uniform(-1...1), style.uniform(-1...1), style.uniform(-0.6...0.2))
      let stroke = base.changed { posture in
        for (side, moves) in [(\Posture.left, isLeft || isBoth), (\.right, !isLeft || isBoth)]
        where moves {
          posture[keyPath: side].armRaise += change.x * size
          posture[keyPath: side].armForward += change.y * size
          posture[keyPath: side].armReach = min(
            max(posture[keyPath: side].armReach + change.z * size, 0.35), 0.98)
        }
        posture.nod += style.uniform(-0.1...0.1)
      }
      time += Double(exp(style.uniform(log(0.2)...log(1.2))))
      keys.append((time, stroke))
      if style.chance(0.3) {
        time += Double(style.uniform(0.1...1.5))
        keys.append((time, stroke))
      }
      if style.chance(0.6) {
        time += Double(exp(style.uniform(log(0.2)...log(1.5))))
        keys.append((time, base))
      }
    }
  }
}
