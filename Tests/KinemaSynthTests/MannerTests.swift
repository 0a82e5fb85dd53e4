import KinemaSynth
import Testing

@Suite("Manners")
struct MannerTests {
  private static func drawn(
    _ motion: Motion, seed: UInt64 = 3
  ) -> (person: SyntheticPerson, choreography: Choreography) {
    var generator = SeededGenerator(seed: seed)
    let person = SyntheticPerson.random(using: &generator)
    var style = Style(person: person, generator: generator)
    return (person, motion.choreography(&style))
  }

  private static func difference(_ one: Posture, _ other: Posture) -> Float {
    let way = one.lanes - other.lanes
    return (way * way).sum().squareRoot()
  }

  @Test("without one, motions are done as they are drawn", arguments: Motion.library)
  func none(motion: Motion) {
    let (person, drawn) = Self.drawn(motion)
    let done = Manner().applied(to: drawn, by: person)
    for (one, other) in zip(done.postures, drawn.postures) {
      #expect(Self.difference(one, other) < 1e-4)
    }
    #expect(done.shares == drawn.shares && done.advance == drawn.advance)
  }

  @Test("arms go a part of the way, and turn back before its start, while the body does as drawn")
  func arms() throws {
    let (person, drawn) = Self.drawn(try #require(Motion.named("lateral_raises")))
    var manner = Manner()
    (manner.armRange, manner.armStart) = (0.6, 0.25)
    let done = manner.applied(to: drawn, by: person).postures
    let low = drawn.postures[0].left.armRaise
    let way = drawn.postures[1].left.armRaise - low
    #expect(abs(done[0].left.armRaise - (low + 0.15 * way)) < 1e-4)
    #expect(abs(done[1].left.armRaise - (low + 0.6 * way)) < 1e-4)
    #expect(done[1].pelvis == drawn.postures[1].pelvis && done[1].pitch == drawn.postures[1].pitch)
  }

  @Test("who goes a part of the way down goes less deep")
  func body() throws {
    let (person, drawn) = Self.drawn(try #require(Motion.named("squats")))
    var manner = Manner()
    manner.bodyRange = 0.75
    let done = manner.applied(to: drawn, by: person)
    func depth(_ choreography: Choreography) -> Float {
      let heights = choreography.postures.map(\.pelvis.y)
      return (heights.max() ?? 0) - (heights.min() ?? 0)
    }
    #expect(abs(depth(done) - 0.75 * depth(drawn)) < 1e-4)
  }

  @Test(
    "on the floor and over planted hands nothing leaves its support",
    arguments: ["push_ups", "plank", "sit_ups", "bench_dips", "pull_ups"], [1, 2, 3] as [UInt64])
  func support(name: String, seed: UInt64) throws {
    let (person, drawn) = Self.drawn(try #require(Motion.named(name)), seed: seed)
    var generator = SeededGenerator(seed: seed)
    let done = Manner.random(using: &generator).applied(to: drawn, by: person)
    for (one, other) in zip(done.postures, drawn.postures) {
      #expect(one.pelvis == other.pelvis && one.pitch == other.pitch)
      #expect(one.left == other.left && one.right == other.right)
    }
    #expect(done.postures != drawn.postures)
  }

  @Test("takes with manners differ from person to person, and from those without")
  func takes() throws {
    let motion = try #require(Motion.named("biceps_curls"))
    var sampler = SyntheticMotionSampler(
      classes: [SyntheticMotionClass("curls", motions: [motion])], duration: 2, seed: 5)
    let plain = sampler.sample(0)
    sampler.hasManners = true
    let mannered = sampler.sample(0)
    #expect(mannered.values != plain.values && mannered.values != sampler.sample(1).values)
    #expect(mannered == sampler.sample(0))
    #expect(mannered.values.allSatisfy { $0.isFinite })
  }
}
