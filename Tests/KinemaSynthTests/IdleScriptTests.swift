import KinemaSynth
import Testing

@Suite("Scripts without repetitions")
struct IdleScriptTests {
  private static func style(_ seed: UInt64) -> Style {
    Style(person: .average, generator: SeededGenerator(seed: seed))
  }

  private static let postures = [0, 0.3, 0.8].map { pitch in
    Posture.standing(.average, stance: 0.1).changed { $0.pitch = pitch }
  }

  @Test(
    "keys follow each other from the start to the end or later",
    arguments: 1...10 as ClosedRange<UInt64>)
  func times(_ seed: UInt64) {
    var style = Self.style(seed)
    let keys = IdleScript(Self.postures, from: 3, until: 40, gesturing: 0.4, in: &style).keys
    #expect((keys.first?.time ?? 0) > 3 && (keys.last?.time ?? 0) >= 40)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(keys.dropLast(10).allSatisfy { $0.time < 40 })
  }

  @Test("without gestures, postures are between two of the motion's, or a little beyond")
  func mixes() {
    var style = Self.style(4)
    let keys = IdleScript(Self.postures, from: 0, until: 120, gesturing: 0, in: &style).keys
    let pitches = keys.map(\.posture.pitch)
    #expect(pitches.allSatisfy { $0 >= -0.161 && $0 <= 0.961 })
    #expect(pitches.contains { $0 < 0.1 } && pitches.contains { $0 > 0.6 })
    // Nothing else moves.
    #expect(keys.allSatisfy { $0.posture.left == Self.postures[0].left })
  }

  @Test("gestures move a hand or both, within an arm's reach, and leave the feet")
  func gestures() {
    var style = Self.style(5)
    let keys = IdleScript(Self.postures, from: 0, until: 120, gesturing: 1, in: &style).keys
    let rest = Self.postures[0]
    for key in keys {
      for (limbs, own) in [(key.posture.left, rest.left), (key.posture.right, rest.right)] {
        #expect(limbs.ankle == own.ankle)
        #expect((0.35...0.98).contains(limbs.armReach))
      }
    }
    let left = keys.count { $0.posture.left.armRaise != rest.left.armRaise }
    let right = keys.count { $0.posture.right.armRaise != rest.right.armRaise }
    #expect(left > keys.count / 5 && right > keys.count / 5)
  }

  @Test("no rhythm: the times between keys differ by far")
  func rhythm() {
    for seed in 1...5 as ClosedRange<UInt64> {
      var style = Self.style(seed)
      let keys = IdleScript(Self.postures, from: 0, until: 200, gesturing: 0, in: &style).keys
      let gaps = zip(keys, keys.dropFirst()).map { $1.time - $0.time }
      let mean = gaps.reduce(0, +) / Double(gaps.count)
      let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
      #expect(variance.squareRoot() > 0.2 * mean)
    }
  }

  @Test("planted hands stay planted: two postures of which one has them are not mixed")
  func planted() {
    let planted = Self.postures[0].planted(SIMD3(0.2, 0.05, 0.5))
    var style = Self.style(6)
    let keys = IdleScript(
      [Self.postures[0], planted], from: 0, until: 100, gesturing: 0, in: &style
    ).keys
    #expect(keys.allSatisfy { [0, 1].contains($0.posture.left.planted) })
    #expect(Set(keys.map(\.posture.left.planted)).count == 2)
  }
}
