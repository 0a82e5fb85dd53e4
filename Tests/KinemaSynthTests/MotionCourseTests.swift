import KinemaPose
import KinemaSynth
import Testing

/// How motions run: steadily, at their pace, and differently for each seed.
@Suite("The course of synthetic motions")
struct MotionCourseTests {
  private static func session(
    _ parts: [SyntheticSession.Part], seed: UInt64 = 6
  ) -> SyntheticSession {
    var generator = SeededGenerator(seed: seed)
    return SyntheticSession(parts, person: .random(using: &generator), seed: seed)
  }

  // In bridges a joint jumps at times, and nobody is in an empty room.
  private static let steady = Motion.library.filter {
    $0.showsPerson && !$0.name.hasSuffix("bridges")
  }

  @Test("no joint of any motion is faster than people's are", arguments: steady)
  func speeds(motion: Motion) {
    let session = Self.session([.motion(motion, repetitions: 2)])
    var before = session.skeleton(at: 0).bodyJoints
    for time in stride(from: 1.0 / 60, through: min(session.duration, 6), by: 1.0 / 60) {
      let now = session.skeleton(at: time).bodyJoints
      for (one, other) in zip(before, now) {
        // A boxer's fist reaches 12 m/s.
        #expect(distance(one, other) * 60 < 15, "\(motion.name) at \(time) s")
      }
      before = now
    }
  }

  @Test("a motion for some seconds lasts about as long", arguments: [4.0, 30])
  func seconds(_ seconds: Double) {
    for motion in [Motion.squats, .standing, .jumpingJacks] {
      let session = Self.session([.motion(motion, seconds: seconds)])
      #expect(abs(session.duration - seconds) < 0.2 * seconds, "\(motion.name)")
    }
  }

  @Test("between two motions there is a transition in which joints go on steadily")
  func transitions() throws {
    let session = Self.session([
      .motion(.pushUps, repetitions: 2), .motion(.jumpingJacks, repetitions: 2),
    ])
    #expect(session.segments.map(\.label) == ["push_ups", "transition", "jumping_jacks"])
    let way = session.segments[1]
    #expect(way.motion == nil && way.repetitions.isEmpty && way.end - way.start > 0.3)
    let (before, after) = (session.skeleton(at: way.start), session.skeleton(at: way.end))
    #expect(after.head.y > before.head.y + 0.5)
    // After the end nothing moves on but for breath and sway.
    let end = session.skeleton(at: session.duration)
    let later = session.skeleton(at: session.duration + 1)
    #expect(zip(end.bodyJoints, later.bodyJoints).allSatisfy { distance($0, $1) < 0.1 })
  }

  @Test("takes of one sequence are one person and motion from several cameras")
  func takes() {
    let classes = [SyntheticMotionClass("squats", motions: [.squats])]
    let sampler = SyntheticMotionSampler(classes: classes, duration: 9, seed: 5)
    let takes = sampler.takes(0, count: 3)
    #expect(takes.count == 3 && Set(takes.map(\.values)).count == 3)
    #expect(takes.allSatisfy { $0.frameCount == sampler.frameCount / 3 && $0.label == "squats" })
    #expect(takes == sampler.takes(0, count: 3))
  }

  @Test("a sampler's own person does every sequence")
  func ownPerson() {
    var sampler = SyntheticMotionSampler(seed: 4)
    sampler.person = SyntheticPerson(stature: 1.6)
    let people = (0..<20).map { sampler.take($0).session.person }
    #expect(!people.isEmpty && Set(people) == [SyntheticPerson(stature: 1.6)])
    sampler.person = nil
    let others = (0..<20).map { sampler.take($0).session.person }
    #expect(Set(others).count == others.count)
  }
}
