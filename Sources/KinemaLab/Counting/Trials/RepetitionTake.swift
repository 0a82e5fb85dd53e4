import Foundation
import KinemaPose
import KinemaSynth

/// Poses of a synthetic person as a counter receives them, with exact counts, for training and
/// evaluation.
///
/// People, movements, tempo, pauses, camera and errors of the pose network are random; see
/// ``RepetitionScript`` and ``RepetitionView``.
package struct RepetitionTake: Sendable {
  /// The number of repetitions, with partial ones at the ends, from which a set is scored.
  package static let leastCount = 1.6

  package let frameRate: Double
  /// `[frames, 18]` places of `JointKey.body`, y up, in any unit.
  package let positions: [SIMD2<Float>]
  package let isJointSeen: [Bool]
  /// For each frame how long the repetition takes that it belongs to, in seconds: 0 in between,
  /// below 0 where opinions may differ.
  package let periods: [Float]
  /// How many repetitions there are, with the shares of those that start and end cut off; `nil`
  /// where opinions may differ.
  package let count: Double?

  package init(duration: Double, frameRate: Double, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    generator = SeededGenerator(seed: generator.next())
    let person = SyntheticPerson.random(using: &generator)
    let script = RepetitionScript(duration: duration, person: person, using: &generator)
    let frameCount = Int(duration * frameRate)
    let times = (0..<frameCount).map { Double($0) / frameRate }
    let unrest = Unrest(duration: duration, using: &generator)
    let track = PostureTrack(script.keys)
    let solver = BodySolver(
      person: person, kneeSpread: generator.uniform(0...0.5),
      elbowSpread: generator.uniform(0.2...1.2))
    let bodies = times.map { time in
      unrest.placed(
        solver.skeleton(for: unrest.applied(to: track.posture(at: time), at: time)),
        at: time
      ).bodyJoints.map { $0 / person.stature }
    }
    var view = RepetitionView(duration: duration, frameRate: frameRate, using: &generator)
    let (positions, isJointSeen, clarity) = view.observe(bodies)
    self.frameRate = frameRate
    self.positions = positions
    self.isJointSeen = isJointSeen
    (periods, count) = Self.truth(
      script.stretches, times: times, duration: duration, clarity: clarity)
  }

  private static func truth(
    _ stretches: [RepetitionScript.Stretch], times: [Double], duration: Double,
    clarity: RepetitionView.Clarity
  ) -> ([Float], Double?) {
    var shares: [Int: Double] = [:]
    var frames: [Int: [Range<Int>]] = [:]
    func index(_ time: Double) -> Int { times.firstIndex { $0 >= time } ?? times.count }
    for stretch in stretches {
      guard let set = stretch.set else { continue }
      let seen = min(stretch.end, duration) - max(stretch.start, 0)
      guard seen > 0 else { continue }
      shares[set, default: 0] += seen / (stretch.end - stretch.start)
      frames[set, default: []].append(index(stretch.start)..<index(stretch.end))
    }
    let scored = Set(
      shares.keys.filter {
        (shares[$0] ?? 0) >= Self.leastCount && clarity.isClear(frames[$0] ?? [])
      })
    var periods = [Float](repeating: 0, count: times.count)
    for stretch in stretches {
      guard let set = stretch.set else { continue }
      for (frame, time) in times.enumerated() where stretch.start <= time && time < stretch.end {
        periods[frame] = scored.contains(set) ? Float(stretch.end - stretch.start) : -1
      }
    }
    let isClear = scored.count == shares.count
    return (periods, isClear ? shares.values.sorted().reduce(0, +) : nil)
  }
}

/// Other movement: sway, arms outside the movement, a person who wanders or turns.
private struct Unrest: Sendable {
  private let trunk: [SmoothNoise]
  private let arms: [SmoothNoise]
  private let path: [SmoothNoise]
  private let heading: SmoothNoise?
  private let sway: Sway?

  init(duration: Double, using generator: inout SeededGenerator) {
    let strength = exp(generator.uniform(log(0.3)...log(3)))
    func noise(_ amplitude: Float, _ generator: inout SeededGenerator) -> SmoothNoise {
      SmoothNoise(
        spacing: Double(generator.uniform(0.5...2)), amplitude: amplitude, duration: duration,
        using: &generator)
    }
    trunk = [0.025, 0.02, 0.04, 0.06, 0.08].map { noise($0 * strength, &generator) }
    let loose: Float = generator.chance(0.2) ? generator.uniform(0.1...0.5) : 0.05 * strength
    arms = (0..<4).map { _ in noise(loose, &generator) }
    let drift: Float = generator.chance(0.2) ? generator.uniform(0.02...0.25) : 0.01 * strength
    path = (0..<2).map { _ in noise(drift, &generator) }
    heading = generator.chance(0.12) ? noise(generator.uniform(0.1...0.7), &generator) : nil
    sway = generator.chance(0.7) ? Sway(using: &generator) : nil
  }

  func applied(to posture: Posture, at time: Double) -> Posture {
    var posture = sway?.applied(to: posture, at: time) ?? posture
    posture.pitch += trunk[0].value(at: time)
    posture.roll += trunk[1].value(at: time)
    posture.twist += trunk[2].value(at: time)
    posture.nod += trunk[3].value(at: time)
    posture.turn += trunk[4].value(at: time)
    posture.left.armRaise += arms[0].value(at: time)
    posture.right.armRaise += arms[1].value(at: time)
    posture.left.armForward += arms[2].value(at: time)
    posture.right.armForward += arms[3].value(at: time)
    return posture
  }

  func placed(_ body: Skeleton, at time: Double) -> Skeleton {
    body.placed(
      at: SIMD2(path[0].value(at: time), path[1].value(at: time)),
      headingDegrees: (heading?.value(at: time) ?? 0) * 180 / .pi)
  }
}
