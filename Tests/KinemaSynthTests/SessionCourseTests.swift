import KinemaSynth
import Testing

/// How parts follow each other in a session.
@Suite("The course of a session")
struct SessionCourseTests {
  private static func session(
    _ parts: [SyntheticSession.Part], seed: UInt64 = 3
  ) -> SyntheticSession {
    SyntheticSession(parts, seed: seed)
  }

  @Test("a part's repetitions fill it, each within a fifth of what was asked for")
  func repetitions() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let part = SyntheticSession.Part.motion(.squats, repetitions: 5, repetitionDuration: 2)
      let segment = try #require(Self.session([part], seed: seed).segments.first)
      #expect(segment.motion == .squats && segment.repetitions.count == 5)
      #expect(segment.repetitions.first?.start == segment.start)
      #expect(segment.repetitions.last?.end == segment.end)
      for (one, next) in zip(segment.repetitions, segment.repetitions.dropFirst()) {
        #expect(one.end == next.start)
      }
      for repetition in segment.repetitions {
        let seconds = repetition.end - repetition.start
        #expect(seconds > 1.599 && seconds < 2.401)
      }
    }
  }

  @Test("a motion for some seconds has as many cycles as it usually takes")
  func seconds() {
    let typical = Motion.squats.typicalCycleDuration
    let part = SyntheticSession.Part.motion(.squats, seconds: 4 * typical)
    #expect(part.cycles == 4 && abs(part.cycleDuration - typical) < 1e-9)
    let short = SyntheticSession.Part.motion(.squats, seconds: 0.1)
    #expect(short.cycles == 1 && short.cycleDuration == 0.1)
    let range = Motion.squats.cycleDurations
    #expect(abs(typical * typical - range.lowerBound * range.upperBound) < 1e-9)
  }

  @Test("from the feet to the floor and back there are transitions, within a posture there is none")
  func transitions() {
    let squats = SyntheticSession.Part.motion(.squats, repetitions: 1)
    let pushUps = SyntheticSession.Part.motion(.pushUps, repetitions: 1)
    let segments = Self.session([squats, pushUps, squats]).segments
    #expect(segments.map(\.label) == ["squats", "transition", "push_ups", "transition", "squats"])
    for segment in segments where segment.motion == nil {
      #expect(segment.repetitions.isEmpty)
      #expect((0.9...4).contains(segment.end - segment.start))
    }
    for (one, next) in zip(segments, segments.dropFirst()) { #expect(one.end == next.start) }
    #expect(Self.session([squats]).segments.count == 1)
  }

  @Test("who walks gets ahead, and on the spot stays")
  func walking() {
    let part = SyntheticSession.Part.motion(.walking, seconds: 5)
    let (away, still) = (Self.session([part]), Self.session([part.onTheSpot()]))
    let ahead = away.skeleton(at: 5).root.z - away.skeleton(at: 0).root.z
    #expect(ahead > 2.5 && ahead < 12)
    for step in 0...50 {
      #expect(abs(still.skeleton(at: Double(step) / 10).root.z) < 0.25)
    }
  }

  @Test("an irregular part lasts as long as its cycles would, and repeats nothing")
  func irregular() throws {
    let part = SyntheticSession.Part.motion(.squats, repetitions: 4, repetitionDuration: 2.5)
    let segment = try #require(Self.session([part.irregular()]).segments.first)
    #expect(segment.repetitions.isEmpty && abs(segment.end - segment.start - 10) < 1e-9)
  }

  @Test("before the start and after the end the person keeps still but for a sway")
  func ends() {
    let session = Self.session([.motion(.squats, repetitions: 2)])
    let places = [session.duration, session.duration + 5].map { session.skeleton(at: $0) }
    #expect((places[0].root - places[1].root).length < 0.02)
    #expect((places[0].left.ankle - places[1].left.ankle).length < 0.02)
    #expect((session.skeleton(at: -3).root - session.skeleton(at: 0).root).length < 0.02)
  }

  @Test("frames cover the session at any rate")
  func frames() {
    let session = Self.session([.motion(.squats, repetitions: 2)])
    for rate in [10, 23.976, 30, 60] {
      let count = session.frameCount(frameRate: rate)
      #expect(Double(count) / rate >= session.duration)
      #expect(Double(count - 1) / rate < session.duration)
    }
  }
}
