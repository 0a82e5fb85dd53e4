import KinemaPose
import KinemaSynth
import Testing

@Suite struct MotionLibraryTests {
  private static func session(_ motion: Motion, seed: UInt64) -> SyntheticSession {
    var generator = SeededGenerator(seed: seed)
    return SyntheticSession(
      [.motion(motion, repetitions: 3)], person: .random(using: &generator), seed: seed)
  }

  private static func bodies(_ session: SyntheticSession) -> [Skeleton] {
    stride(from: 0, through: session.duration, by: 1.0 / 20).map { session.skeleton(at: $0) }
  }

  @Test("names are of one kind and not used twice, and lead back to the motion")
  func names() {
    let names = Motion.library.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 100)
    for motion in Motion.library {
      #expect(motion.name.allSatisfy { $0.isLowercase || $0 == "_" }, "\(motion.name)")
      #expect(Motion.named(motion.name) == motion)
      #expect(!motion.summary.isEmpty && motion.summary.count <= 60, "\(motion.name)")
      #expect(motion.cycleDurations.lowerBound > 0.1)
      #expect(motion.cycleDurations.contains(motion.typicalCycleDuration))
    }
    #expect(Motion.named("nothing") == nil)
  }

  @Test("every class has motions, and each exercise is one of its own class")
  func classes() {
    for action in ActionClass.allCases {
      #expect(action.motions.contains { $0.weight > 0 })
    }
    #expect(ActionClass.other.motions.count > 80)
    for motion in [Motion.jumpingJacks, .lunges, .burpees, .squats, .pushUps] {
      #expect(motion.action.rawValue == motion.name)
      #expect(motion.isCounted)
    }
  }

  @Test(
    "in every motion bones keep their lengths and nothing goes through the floor",
    arguments: Motion.library)
  func bodies(motion: Motion) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      let session = Self.session(motion, seed: seed)
      let person = session.person
      for body in Self.bodies(session) {
        #expect(body.bodyJoints.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
        let places = body.bodyJoints + [body.left.ball, body.right.ball]
        #expect(places.allSatisfy { $0.y > 0.01 }, "\(motion.name), seed \(seed)")
        let bones: [(SIMD3<Float>, SIMD3<Float>, Float)] = [
          (body.left.hip, body.left.knee, person.thigh),
          (body.right.knee, body.right.ankle, person.shank),
          (body.left.shoulder, body.left.elbow, person.upperArm),
          (body.right.elbow, body.right.wrist, person.forearm),
          (body.neck, body.root, person.trunk),
          (body.left.hip, body.right.hip, person.hipWidth),
          (body.left.shoulder, body.right.shoulder, person.shoulderWidth),
        ]
        for (from, to, length) in bones {
          #expect(abs(distance(from, to) / length - 1) < 0.01, "\(motion.name), seed \(seed)")
        }
      }
    }
  }

  private static let onTheFloor = Motion.library.filter {
    !["pull_ups", "bar_dips", "hanging_leg_raises"].contains($0.name)
  }

  @Test("a body always touches or nearly touches the floor", arguments: onTheFloor)
  func ground(motion: Motion) {
    for seed in 1...4 as ClosedRange<UInt64> {
      for body in Self.bodies(Self.session(motion, seed: seed)) {
        let lowest = (body.bodyJoints + [body.left.ball, body.right.ball]).map(\.y).min() ?? 1
        // A jump, and what stands on something raised: incline push-ups, steps.
        #expect(lowest < 0.45, "\(motion.name), seed \(seed)")
      }
    }
  }

  @Test("knees bend forwards and elbows backwards of the straight line", arguments: Motion.library)
  func hinges(motion: Motion) {
    var wrong = 0
    var total = 0
    for seed in 1...4 as ClosedRange<UInt64> {
      for body in Self.bodies(Self.session(motion, seed: seed)) {
        let left = body.left.hip - body.right.hip
        for side in [body.left, body.right] {
          // The knee's axis points to the left where it bends the way knees do.
          let axis = cross(side.knee - side.hip, side.ankle - side.knee)
          total += 1
          if (axis * left).sum() < -0.01 { wrong += 1 }
        }
      }
    }
    #expect(wrong <= total / 20, "\(motion.name): \(wrong) of \(total)")
  }

  @Test("in a pull-up the hands stay where they are and the chin goes up to them")
  func pullUps() throws {
    let session = Self.session(try #require(Motion.named("pull_ups")), seed: 3)
    let bodies = Self.bodies(session)
    let hands = bodies.map(\.left.wrist)
    #expect(hands.allSatisfy { distance($0, hands[0]) < 0.05 })
    let gaps = bodies.map { $0.left.wrist.y - $0.neck.y }
    let arm = session.person.upperArm + session.person.forearm
    #expect((gaps.max() ?? 0) > 0.8 * arm && (gaps.min() ?? 1) < 0.75 * arm)
    #expect(
      bodies.allSatisfy { min($0.left.ankle.y, $0.right.ankle.y) > session.person.ankleHeight })
  }

  @Test("in a dip the arms bend while the hands stay in place")
  func dips() throws {
    let session = Self.session(try #require(Motion.named("bench_dips")), seed: 4)
    let bodies = Self.bodies(session)
    let hands = bodies.map(\.right.wrist)
    #expect(hands.allSatisfy { distance($0, hands[0]) < 0.05 })
    let heights = bodies.map { $0.neck.y - $0.right.wrist.y }
    let arm = session.person.upperArm + session.person.forearm
    #expect((heights.max() ?? 0) > 0.85 * arm && (heights.min() ?? 1) < 0.8 * arm)
  }

  @Test("in a hanging leg raise the hands stay in place and the feet come up in front")
  func hangingLegRaises() throws {
    let session = Self.session(try #require(Motion.named("hanging_leg_raises")), seed: 5)
    let bodies = Self.bodies(session)
    let hands = bodies.map(\.left.wrist)
    #expect(hands.allSatisfy { distance($0, hands[0]) < 0.05 })
    let ankles = bodies.map(\.left.ankle)
    let heights = ankles.map(\.y)
    #expect((heights.max() ?? 0) - (heights.min() ?? 0) > 0.15 * session.person.stature)
    #expect((ankles.max { $0.y < $1.y }?.z ?? 0) > (ankles.min { $0.y < $1.y }?.z ?? 0))
  }

  @Test("in a one-arm row one hand stays in place and the other is pulled up")
  func oneArmRows() throws {
    let session = Self.session(try #require(Motion.named("one_arm_rows")), seed: 6)
    let bodies = Self.bodies(session)
    let moves = [bodies.map(\.left.wrist.y), bodies.map(\.right.wrist.y)].map {
      ($0.max() ?? 0) - ($0.min() ?? 0)
    }
    #expect((moves.min() ?? 1) < 0.1 && (moves.max() ?? 0) > 0.2)
  }

  @Test("repetitions are counted where one would count them", arguments: Motion.library)
  func repetitions(motion: Motion) {
    let session = SyntheticSession([.motion(motion, repetitions: 5)], seed: 2)
    #expect(session.segments.count == 1)
    #expect(session.segments[0].repetitions.count == (motion.isCounted ? 5 : 0))
  }

  private func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
