import KinemaPose
import KinemaSynth
import Testing

/// The labels of a synthetic data set against what its people do.
@Suite("Labels of takes")
struct LabelledTakesTests {
  private static func workout(_ label: String, seed: UInt64) throws -> SyntheticMotionSampler {
    let kind = try #require(SyntheticMotionClass.workout.first { $0.label == label })
    return SyntheticMotionSampler(classes: [kind], seed: seed)
  }

  private static func bodies(_ take: SyntheticTake) -> [Skeleton] {
    stride(from: 0, to: take.duration, by: 0.1).map(take.skeleton)
  }

  @Test("a sequence shows a motion of its label's class")
  func motions() {
    let sets = [
      SyntheticMotionClass.standard, SyntheticMotionClass.workout, SyntheticMotionClass.exercise,
      SyntheticMotionClass.eachMotion,
    ]
    for classes in sets {
      let sampler = SyntheticMotionSampler(classes: classes, seed: 9)
      for index in 0..<300 {
        let take = sampler.take(index)
        let owners = classes.filter { $0.motions.contains(take.motion) }
        #expect(owners.map(\.label) == [take.label], "\(take.motion.name)")
        #expect(take.session.segments.allSatisfy { $0.motion == take.motion })
      }
    }
  }

  @Test("motions of a class are drawn by their weights, evenly where none has one")
  func weights() {
    func draws(_ weights: [Float]) -> [Int] {
      let motions: [Motion] = [.squats, .lunges, .burpees]
      let kind = SyntheticMotionClass("own", motions: motions, weights: weights)
      let sampler = SyntheticMotionSampler(classes: [kind], duration: 0.1, seed: 3)
      let drawn = (0..<400).map { sampler.take($0).motion }
      return motions.map { motion in drawn.count { $0 == motion } }
    }
    let weighted = draws([1, 0, 3])
    #expect((70...130).contains(weighted[0]) && weighted[1] == 0)
    #expect(weighted.reduce(0, +) == 400)
    #expect(draws([0, 0, 0]).allSatisfy { (100...167).contains($0) })
  }

  @Test(
    "who stands, walks or lifts is upright on the feet",
    arguments: [
      "standing", "walking", "running", "jumping_jacks", "bicep_curls", "calf_raises",
      "jump_rope", "arm_circles", "high_knees", "butt_kicks",
    ])
  func upright(label: String) throws {
    let sampler = try Self.workout(label, seed: 5)
    // Talking and some curls are done on a chair as well, curls over a bench, star jumps from a crouch.
    let others = ["talking", "seated_curls", "cable_curls", "star_jumps"]
    for take in (0..<12).map(sampler.take) where !others.contains(take.motion.name) {
      let person = take.session.person
      for body in Self.bodies(take) {
        let up = (body.neck.y - body.root.y) / person.trunk
        #expect(up > 0.7, "\(take.motion.name)")
        #expect(body.root.y > 0.7 * person.leg, "\(take.motion.name)")
        #expect(body.head.y > body.neck.y && body.root.y > body.left.ankle.y)
      }
    }
  }

  @Test(
    "who does an exercise of the floor is there all the time",
    arguments: [
      "push_ups", "plank", "sit_ups", "crunches", "glute_bridges", "lying", "russian_twists",
    ])
  func onTheFloor(label: String) throws {
    let sampler = try Self.workout(label, seed: 6)
    for take in (0..<12).map(sampler.take) {
      let person = take.session.person
      for body in Self.bodies(take) {
        // Hands or feet may be on a bench.
        #expect(body.head.y < 0.7 * person.stature, "\(take.motion.name)")
        #expect(body.root.y < 0.5 * person.stature, "\(take.motion.name)")
      }
    }
  }

  @Test("in push-ups and planks the chest faces the floor, lying on the back the ceiling")
  func chests() throws {
    for (label, isDown) in [("push_ups", true), ("crunches", false), ("glute_bridges", false)] {
      let sampler = try Self.workout(label, seed: 7)
      for take in (0..<12).map(sampler.take) {
        for body in Self.bodies(take) {
          #expect((body.chestForward.y < 0) == isDown, "\(take.motion.name)")
        }
      }
    }
  }

  @Test("a faller is upright first or last, and on the floor in between")
  func falling() throws {
    let falling = try #require(Motion.named("falling"))
    for seed in 1...12 as ClosedRange<UInt64> {
      let session = SyntheticSession([.motion(falling, repetitions: 1)], seed: seed)
      let person = session.person
      func height(_ time: Double) -> Float { session.skeleton(at: time).neck.y / person.stature }
      let times = Array(stride(from: 0, through: session.duration, by: 0.05))
      let lowest = try #require(times.min { height($0) < height($1) })
      #expect(height(0) > 0.7 && height(session.duration) > 0.7, "seed \(seed)")
      #expect(height(lowest) < 0.25, "seed \(seed)")
      // Down faster than up again: a fall is no lying down.
      let down = times.filter { $0 < lowest && height($0) > 0.35 }.max() ?? 0
      let up = times.filter { $0 > lowest && height($0) > 0.35 }.min() ?? 0
      #expect(session.duration - up > 0.5 * down, "seed \(seed)")
    }
  }

  @Test("every idle motion, in any order and pace, stays about where it is, without a jump")
  func idle() {
    for motion in Motion.idle {
      for seed in 1...4 as ClosedRange<UInt64> {
        let session = SyntheticSession(
          [
            SyntheticSession.Part.motion(motion, seconds: 12).irregular(),
            .motion(.squats, repetitions: 1),
          ], seed: seed)
        #expect(session.segments[0].repetitions.isEmpty && session.segments[0].motion == motion)
        #expect(session.segments.last?.repetitions.count == 1)
        let start = session.skeleton(at: 0)
        var before = start
        for time in stride(from: 0.02, through: session.duration, by: 0.02) {
          let body = session.skeleton(at: time)
          for (one, other) in zip(before.bodyJoints, body.bodyJoints) {
            #expect((one - other).length < 0.3, "\(motion.name), seed \(seed), \(time) s")
          }
          if time < session.segments[0].end {
            #expect((body.root - start.root).length < 0.5, "\(motion.name), seed \(seed)")
          }
          before = body
        }
      }
    }
  }

  @Test("who holds one posture moves only while talking, and only arms and head")
  func talking() throws {
    let rest = Posture.standing(.average, stance: 0.1)
    for motion in Motion.idle {
      var style = Style(person: .average, generator: SeededGenerator(seed: 4))
      let keys = IdleScript(of: motion, in: [rest], from: 0, until: 60, in: &style).keys
      let talks = keys.contains { $0.posture != rest }
      #expect(talks == motion.name.contains("talking"), "\(motion.name)")
      for key in keys {
        #expect(key.posture.pelvis == rest.pelvis && key.posture.twist == rest.twist)
        #expect(key.posture.left.ankle == rest.left.ankle)
        #expect(abs(key.posture.nod - rest.nod) <= 0.1)
      }
    }
  }
}
