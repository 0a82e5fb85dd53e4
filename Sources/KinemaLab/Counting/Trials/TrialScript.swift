import Foundation
import KinemaSynth

/// What a person does in a ``CountingTrial``, key posture by key posture.
struct TrialScript: Sendable {
  private(set) var keys: [(time: Double, posture: Posture)] = []
  private(set) var repetitions: [SyntheticSession.Repetition] = []
  /// How long it lasts, in seconds.
  private(set) var duration = 0.0

  /// The shortest and the longest repetition in seconds.
  static let periods = 0.3...8.0
  /// How long the repetitions may take together, in seconds, from the fourth on.
  static let longest = 45.0

  /// Repetitions of a motion between two rests.
  init(repeating motion: Motion, in style: inout Style) {
    var choreography = motion.choreography(&style)
    // A camera that goes along.
    choreography.advance = 0
    let sides = Double(choreography.repetitionsPerCycle)
    let range = motion.cycleDurations
    let (low, high) = (
      max(range.lowerBound / sides, Self.periods.lowerBound),
      min(range.upperBound / sides, Self.periods.upperBound)
    )
    let usual = low * pow(high / low, Double(style.uniform(0...1)))
    let wanted = min(Double(style.uniform(3...15.99)), max(3, Self.longest / usual))
    let cycleCount = max(Int((wanted / sides).rounded(.down)), Int((3 / sides).rounded(.up)))
    let trend = max(-0.3, min(0.3, 0.12 * style.generator.normal()))
    let pauses =
      style.chance(0.3)
      ? (0..<Int(style.uniform(1...2.99))).map { _ in
        Int(style.uniform(0...0.999) * Float(cycleCount))
      } : []
    keys.append((0, choreography.rest))
    rest(for: Double(style.uniform(0.3...3)))
    for index in 0..<cycleCount {
      let place = Float(index) / Float(max(cycleCount - 1, 1)) - 0.5
      let spread = Double(exp(0.05 * style.generator.normal() + trend * place))
      let period = min(max(usual * spread, Self.periods.lowerBound), Self.periods.upperBound)
      append(choreography, cycle: index, duration: period * sides, in: &style)
      if pauses.contains(index) { rest(for: Double(style.uniform(1.5...5))) }
    }
    rest(for: Double(style.uniform(0.3...3)))
  }

  init(idling motion: Motion, seconds: Double, in style: inout Style) {
    let postures = motion.choreography(&style).postures
    let script = IdleScript(of: motion, in: postures, from: 0, until: seconds, in: &style)
    keys = [(0, postures[0])] + script.keys
    duration = seconds
  }

  private mutating func rest(for seconds: Double) {
    guard let last = keys.last?.posture else { return }
    duration += seconds
    keys.append((duration, last))
  }

  private mutating func append(
    _ choreography: Choreography, cycle index: Int, duration: Double, in style: inout Style
  ) {
    let depth = 1 + max(-0.15, min(0.1, 0.06 * style.generator.normal()))
    let shares = choreography.shares.map { $0 * Double(style.uniform(0.9...1.1)) }
    let total = shares.reduce(0, +)
    let begin = self.duration
    var (passed, start) = (0.0, begin)
    for (place, posture) in choreography.cycle(index, depth: depth).enumerated() {
      passed += shares[place]
      let time = begin + duration * passed / total
      keys.append((time, posture))
      guard choreography.endsRepetition(place) else { continue }
      repetitions.append(.init(start: start, end: time))
      start = time
    }
    self.duration = begin + duration
  }
}
