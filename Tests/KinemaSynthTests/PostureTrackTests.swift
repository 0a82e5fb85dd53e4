import KinemaSynth
import Testing

@Suite struct PostureTrackTests {
  private static let person = SyntheticPerson()

  private static func posture(pitch: Float) -> Posture {
    Posture.standing(person, stance: 0.1).changed { $0.pitch = pitch }
  }

  private static let track = PostureTrack(
    [(0, 0), (1, 0.4), (1.5, 0.4), (3, 1), (4, 0.2)].map {
      (time: $0.0, posture: posture(pitch: $0.1))
    }
  )

  @Test("a track passes through its postures, and ends are held")
  func keys() {
    for (time, pitch) in [(-1, 0), (0, 0), (1, 0.4), (3, 1), (4, 0.2), (9, 0.2)]
      as [(Double, Float)]
    {
      #expect(abs(Self.track.posture(at: time).pitch - pitch) < 1e-5, "\(time)")
    }
  }

  @Test("between two postures it neither overshoots nor turns, and equal ones are held")
  func monotony() {
    func pitches(_ range: ClosedRange<Double>) -> [Float] {
      stride(from: range.lowerBound, through: range.upperBound, by: 0.01).map {
        Self.track.posture(at: $0).pitch
      }
    }
    for rising in [pitches(0...1), pitches(1.5...3)] {
      #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 <= $1 + 1e-6 })
    }
    let falling = pitches(3...4)
    #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 >= $1 - 1e-6 })
    #expect(pitches(1...1.5).allSatisfy { abs($0 - 0.4) < 1e-6 })
  }

  @Test("it starts and ends at rest, and never jumps")
  func smoothness() {
    let step = 1e-3
    func speed(_ time: Double) -> Float {
      (Self.track.posture(at: time + step).pitch - Self.track.posture(at: time).pitch) / Float(step)
    }
    #expect(abs(speed(0)) < 0.02 && abs(speed(3)) < 0.02 && abs(speed(4 - step)) < 0.02)
    for time in stride(from: 0, to: 4, by: 0.05) {
      #expect(abs(speed(time + step) - speed(time)) < 0.05, "\(time)")
    }
  }

  @Test("postures survive their lanes, and mirroring twice")
  func lanes() {
    var style = Style(person: Self.person, generator: SeededGenerator(seed: 3))
    for posture in [style.sitting(), style.prone(), style.onAllFours(), style.kneeling()] {
      #expect(Posture(lanes: posture.lanes) == posture)
      #expect(posture.mirrored.mirrored == posture)
      #expect(posture.mirrored.left.ankle.x == -posture.right.ankle.x)
    }
  }

  @Test("people on the floor are distinguished from people who stand or sit")
  func floor() {
    var style = Style(person: Self.person, generator: SeededGenerator(seed: 4))
    for posture in [style.supine(), style.prone(), style.onAllFours()] {
      #expect(posture.isOnFloor(Self.person))
    }
    #expect(!style.standing().isOnFloor(Self.person))
  }
}
