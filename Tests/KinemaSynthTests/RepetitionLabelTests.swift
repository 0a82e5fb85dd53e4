import KinemaPose
import KinemaSynth
import Testing

/// What a session says of its repetitions against what its joints do.
@Suite("Labels of repetitions")
struct RepetitionLabelTests {
  private static func session(_ motion: Motion, repetitions: Int, seed: UInt64)
    -> SyntheticSession
  {
    var generator = SeededGenerator(seed: seed)
    return SyntheticSession(
      [SyntheticSession.Part.motion(motion, repetitions: repetitions).onTheSpot()],
      person: .random(using: &generator), seed: seed)
  }

  /// How often a signal goes from its lower third to its upper third or back.
  private static func changes(_ values: [Float]) -> Int {
    guard let low = values.min(), let high = values.max() else { return 0 }
    var (count, isHigh) = (0, values[0] > (low + high) / 2)
    for value in values {
      let share = (value - low) / (high - low)
      if isHigh ? share < 0.35 : share > 0.65 { (count, isHigh) = (count + 1, !isHigh) }
    }
    return count
  }

  private static let signals: [(motion: String, signal: @Sendable (Skeleton) -> Float)] = [
    ("jumping_jacks", { ($0.left.ankle - $0.right.ankle).length }),
    ("star_jumps", { ($0.left.ankle - $0.right.ankle).length }),
    ("plank_jacks", { ($0.left.ankle - $0.right.ankle).length }),
    ("seal_jacks", { ($0.left.wrist - $0.right.wrist).length }),
    ("push_ups", { $0.neck.y }), ("knee_push_ups", { $0.neck.y }), ("burpees", { $0.head.y }),
    ("bench_dips", { $0.neck.y }), ("pull_ups", { $0.neck.y }), ("deadlifts", { $0.neck.y }),
    ("good_mornings", { $0.neck.y }), ("toe_touches", { $0.head.y }),
    ("sit_ups", { $0.neck.y }), ("lunges", { $0.root.y }), ("split_squats", { $0.root.y }),
    ("jump_squats", { $0.root.y }), ("pulse_squats", { $0.root.y }), ("bridges", { $0.root.y }),
    ("calf_raises", { $0.root.y }), ("sit_to_stand", { $0.root.y }),
    ("leg_raises", { $0.left.ankle.y + $0.right.ankle.y }),
    ("overhead_presses", { $0.left.wrist.y }), ("bench_press", { $0.left.wrist.y }),
    // Some people raise one arm after the other.
    ("lateral_raises", { $0.left.wrist.y + $0.right.wrist.y }),
    ("front_raises", { $0.left.wrist.y + $0.right.wrist.y }),
  ]

  @Test("the joints go to and fro once per repetition", arguments: signals.indices)
  func counts(index: Int) throws {
    let (name, signal) = Self.signals[index]
    let motion = try #require(Motion.named(name))
    for seed in 1...5 as ClosedRange<UInt64> {
      let session = Self.session(motion, repetitions: 5, seed: seed)
      let values = stride(from: 0, through: session.duration, by: 1.0 / 30).map {
        signal(session.skeleton(at: $0))
      }
      #expect(Self.changes(values) == 10, "\(name), seed \(seed)")
    }
  }

  private static let counted = Motion.library.filter { $0.isCounted && $0.showsPerson }

  @Test(
    "repetitions are alike at the same share of their time, or every other one is",
    arguments: counted)
  func phases(motion: Motion) {
    let session = Self.session(motion, repetitions: 5, seed: 3)
    let courses = session.segments[0].repetitions.map { repetition in
      (0..<8).map { step in
        let share = Double(step) / 8
        return session.skeleton(at: repetition.start + share * (repetition.end - repetition.start))
          .bodyJoints
      }
    }
    func away(_ one: [Vector], _ other: [Vector]) -> Float {
      zip(one, other).map { ($0 - $1).length }.max() ?? 0
    }
    let course = courses[0]
    let amplitude = course.map { away($0, course[0]) }.max() ?? 0
    #expect(amplitude > 0.04, "\(motion.name) moves \(amplitude) m")
    for later in [courses[2], courses[4]] {
      for (one, other) in zip(course, later) {
        #expect(away(one, other) < 0.1 + 0.35 * amplitude, "\(away(one, other)) of \(amplitude)")
      }
    }
  }

  @Test("a repetition starts where the one before last did", arguments: counted)
  func loops(motion: Motion) {
    for seed in 4...6 as ClosedRange<UInt64> {
      let session = Self.session(motion, repetitions: 5, seed: seed)
      let bodies = session.segments[0].repetitions.map { session.skeleton(at: $0.start) }
      for body in [bodies[2], bodies[4]] {
        #expect((body.root - bodies[0].root).length < 0.03, "seed \(seed)")
        #expect((body.left.ankle - bodies[0].left.ankle).length < 0.03, "seed \(seed)")
        #expect((body.right.ball - bodies[0].right.ball).length < 0.03, "seed \(seed)")
        // Arms and head sway.
        #expect((body.left.wrist - bodies[0].left.wrist).length < 0.2, "seed \(seed)")
        #expect((body.nose - bodies[0].nose).length < 0.15, "seed \(seed)")
      }
    }
  }

  @Test("who lunges ahead gets as far with each repetition")
  func advance() throws {
    let motion = try #require(Motion.named("walking_lunges"))
    var ahead = 0
    for seed in 1...12 as ClosedRange<UInt64> {
      let session = SyntheticSession([.motion(motion, repetitions: 6)], seed: seed)
      let places = session.segments[0].repetitions.map { session.skeleton(at: $0.start).root.z }
      let ways = zip(places, places.dropFirst()).map { $1 - $0 }
      #expect(ways.allSatisfy { abs($0 - ways[0]) < 0.02 && $0 > -0.02 && $0 < 1 })
      if ways[0] > 0.1 { ahead += 1 }
    }
    #expect((3...11).contains(ahead))
  }

  @Test(
    "a jump leaves the floor once per repetition, and lands",
    arguments: ["jump_squats", "star_jumps", "jump_lunges", "jumping_jacks", "jump_rope"])
  func flights(name: String) throws {
    let motion = try #require(Motion.named(name))
    // Jumping jacks have a jump out and a jump back.
    let jumps = name == "jumping_jacks" ? 2 : 1
    for seed in 1...5 as ClosedRange<UInt64> {
      let session = Self.session(motion, repetitions: 4, seed: seed)
      let heights = stride(from: 0, through: session.duration, by: 1.0 / 60).map { time in
        let body = session.skeleton(at: time)
        // In a low jump the toes hang down to the floor.
        return min(body.left.ankle.y, body.right.ankle.y)
      }
      #expect(Self.changes(heights) == 8 * jumps, "seed \(seed)")
      #expect((heights.min() ?? 1) < session.person.ankleHeight + 0.01, "seed \(seed)")
    }
  }

  @Test(
    "feet stay on the floor while arms or trunk work",
    arguments: [
      "biceps_curls", "overhead_presses", "lateral_raises", "front_raises", "arm_circles",
      "arm_raises", "arm_swings", "torso_twists", "good_mornings", "deadlifts", "bent_over_rows",
      "kettlebell_swings", "sumo_squats", "toe_touches", "windmills", "side_bends", "pushdowns",
    ])
  func feet(name: String) throws {
    let motion = try #require(Motion.named(name))
    for seed in 1...4 as ClosedRange<UInt64> {
      let session = Self.session(motion, repetitions: 2, seed: seed)
      let start = session.skeleton(at: 0)
      for time in stride(from: 0, through: session.duration, by: 0.1) {
        let body = session.skeleton(at: time)
        for (side, place) in [(body.left, start.left), (body.right, start.right)] {
          #expect((side.ankle - place.ankle).length < 0.01, "seed \(seed), \(time) s")
          #expect(side.ball.y < 0.03 * session.person.stature, "seed \(seed), \(time) s")
        }
      }
    }
  }

  @Test("who walks always has a foot on the floor; the standing foot of a runner leaves it")
  func gaits() throws {
    func height(
      _ name: String, _ seed: UInt64, _ place: KeyPath<Skeleton.Side, Vector>
    ) throws -> Float {
      let motion = try #require(Motion.named(name))
      let session = Self.session(motion, repetitions: 4, seed: seed)
      let heights = stride(from: 0, through: session.duration, by: 1.0 / 60).map { time in
        let body = session.skeleton(at: time)
        return min(body.left[keyPath: place].y, body.right[keyPath: place].y)
      }
      return (heights.max() ?? 0) / session.person.stature
    }
    for seed in 1...5 as ClosedRange<UInt64> {
      #expect(try height("walking", seed, \.ball) < 0.025, "seed \(seed)")
      #expect(try height("strolling", seed, \.ball) < 0.025, "seed \(seed)")
      // An ankle of somebody who stands is at 0.045.
      #expect(try height("running", seed, \.ankle) > 0.053, "seed \(seed)")
    }
  }
}
