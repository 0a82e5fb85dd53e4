import KinemaSynth
import Testing

@Suite("Takes of synthetic motions")
struct SyntheticTakeTests {
  private static func take(
    _ name: String, duration: Double = 6, seed: UInt64 = 1, person: SyntheticPerson? = nil
  ) throws -> SyntheticTake {
    let motion = try #require(Motion.named(name))
    var generator = SeededGenerator(seed: seed)
    return SyntheticTake(
      of: SyntheticMotionClass("own", motions: [motion]), duration: duration, person: person,
      using: &generator)
  }

  private static let counted = ["squats", "jumping_jacks", "lunges", "sit_ups"]

  @Test("a take is watched within its session", arguments: counted, [1, 2, 3] as [UInt64])
  func session(_ name: String, _ seed: UInt64) throws {
    let take = try Self.take(name, seed: seed)
    #expect(take.label == "own" && take.motion.name == name)
    #expect(take.start >= 0 && take.start + take.duration <= take.session.duration)
    #expect(take.skeleton(at: 1.5) == take.session.skeleton(at: take.start + 1.5))
  }

  @Test("repetitions are those that end in the take, in its own time", arguments: counted)
  func repetitions(_ name: String) throws {
    let take = try Self.take(name, duration: 9, seed: 5)
    let all = take.session.segments.flatMap(\.repetitions)
    let (start, end) = (take.start, take.start + take.duration)
    let expected = all.filter { $0.end > start && $0.end <= end }
    #expect(take.repetitions.count == expected.count && !expected.isEmpty)
    for (own, whole) in zip(take.repetitions, expected) {
      #expect(abs(own.start + take.start - whole.start) < 1e-9)
      #expect(abs(own.end + take.start - whole.end) < 1e-9)
    }
    // All but the first begin in the take.
    #expect(take.repetitions.dropFirst().allSatisfy { $0.start >= -1e-9 })
    let range = take.motion.cycleDurations
    for repetition in take.repetitions {
      let seconds = repetition.end - repetition.start
      #expect(seconds > 0.79 * range.lowerBound && seconds < 1.21 * range.upperBound)
    }
  }

  @Test("a person who is given does what anybody would have done")
  func person() throws {
    let small = SyntheticPerson(stature: 1.5)
    let (anybody, own) = try (Self.take("squats"), Self.take("squats", person: small))
    #expect(own.session.person == small && anybody.session.person != small)
    #expect(own.start == anybody.start && own.session.segments == anybody.session.segments)
  }

  @Test("the same seed gives the same take, another one another")
  func determinism() throws {
    let (one, again) = try (Self.take("squats", seed: 7), Self.take("squats", seed: 7))
    #expect(one.start == again.start && one.skeleton(at: 2) == again.skeleton(at: 2))
    #expect(try Self.take("squats", seed: 8).skeleton(at: 2) != one.skeleton(at: 2))
  }

  @Test("where nothing is counted there are no repetitions")
  func idle() throws {
    for motion in Motion.idle.prefix(5) {
      #expect(try Self.take(motion.name).repetitions.isEmpty, "\(motion.name)")
    }
  }
}
