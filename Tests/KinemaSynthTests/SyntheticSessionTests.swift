import KinemaPose
import KinemaSynth
import KinemaTestSupport
import Testing

@Suite struct SyntheticSessionTests {
  private static let exercises: [Motion] = [.jumpingJacks, .lunges, .burpees, .squats, .pushUps]
  private static let parts: [SyntheticSession.Part] =
    exercises.map { .motion($0, repetitions: 4) } + [.standing(seconds: 6)]

  /// The person and the session of a seed.
  private static func session(_ part: SyntheticSession.Part, seed: UInt64) -> SyntheticSession {
    var generator = SeededGenerator(seed: seed)
    return SyntheticSession(
      [part], person: .random(using: &generator), seed: seed)
  }

  private static func times(_ session: SyntheticSession) -> [Double] {
    Array(stride(from: 0, through: session.duration, by: 1.0 / 30))
  }

  @Test(
    "an exercise has as many repetitions as were asked for, end to end", arguments: exercises,
    [1, 3, 10])
  func repetitions(exercise: Motion, count: Int) throws {
    let session = SyntheticSession([.motion(exercise, repetitions: count)], seed: 3)
    let segment = try #require(session.segments.first)
    #expect(session.segments.count == 1)
    #expect(segment.motion == exercise)
    #expect(segment.repetitions.count == count)
    #expect(segment.start == 0)
    #expect(segment.repetitions.first?.start == segment.start)
    #expect(segment.repetitions.last?.end == segment.end)
    #expect(segment.repetitions.allSatisfy { $0.start < $0.end })
    for (before, after) in zip(segment.repetitions, segment.repetitions.dropFirst()) {
      #expect(before.end == after.start)
    }
  }

  @Test("repetitions take about as long as requested")
  func tempo() {
    let session = SyntheticSession(
      [.motion(.squats, repetitions: 20, repetitionDuration: 2)], seed: 5)
    #expect(abs(session.duration - 40) < 4)
    let durations = session.segments[0].repetitions.map { $0.end - $0.start }
    #expect(durations.allSatisfy { $0 > 1.6 && $0 < 2.4 })
    #expect(Set(durations).count > 10, "No two repetitions are quite alike.")
  }

  @Test("a session of several exercises is tiled by labelled segments")
  func segments() {
    let session = SyntheticSession(
      [.standing(seconds: 2)] + Self.exercises.map { .motion($0, repetitions: 2) }
        + [.standing(seconds: 2)], seed: 11)
    #expect(session.segments.first?.start == 0)
    for (before, after) in zip(session.segments, session.segments.dropFirst()) {
      #expect(before.end == after.start)
      #expect(before.motion != nil || after.motion != nil)
    }
    #expect(
      session.segments.compactMap(\.motion) == [.standing] + Self.exercises + [.standing])
    #expect(session.repetitionCount == 2 * Self.exercises.count)
  }

  @Test("no joint jumps, within an exercise or between two")
  func continuity() {
    let session = SyntheticSession(
      [.standing(seconds: 1)] + Self.exercises.map { .motion($0, repetitions: 2) }
        + [.standing(seconds: 1)], seed: 12)
    var before = session.skeleton(at: 0).bodyJoints
    for time in stride(from: 0, through: session.duration, by: 1.0 / 120) {
      let now = session.skeleton(at: time).bodyJoints
      for (a, b) in zip(before, now) {
        #expect(distance(a, b) < 0.12, "at \(time) s")
      }
      before = now
    }
  }

  @Test("bones keep their lengths", arguments: parts, [1, 2, 3, 4] as [UInt64])
  func bones(part: SyntheticSession.Part, seed: UInt64) throws {
    let session = Self.session(part, seed: seed)
    let bones: [(JointKey, JointKey, Float)] = [
      (.leftHip, .leftKnee, session.person.thigh), (.leftKnee, .leftAnkle, session.person.shank),
      (.rightHip, .rightKnee, session.person.thigh),
      (.rightKnee, .rightAnkle, session.person.shank),
      (.leftShoulder, .leftElbow, session.person.upperArm),
      (.leftElbow, .leftWrist, session.person.forearm),
      (.rightShoulder, .rightElbow, session.person.upperArm),
      (.rightElbow, .rightWrist, session.person.forearm),
      (.neck, .root, session.person.trunk), (.leftHip, .rightHip, session.person.hipWidth),
      (.leftShoulder, .rightShoulder, session.person.shoulderWidth),
    ]
    for time in Self.times(session) {
      let body = session.skeleton(at: time)
      for (from, to, length) in bones {
        let found = distance(try #require(body[from]), try #require(body[to]))
        #expect(abs(found / length - 1) < 0.01, "\(from)–\(to) at \(time) s")
      }
    }
  }

  @Test(
    "nothing goes through the floor", arguments: parts, [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func floor(part: SyntheticSession.Part, seed: UInt64) {
    let session = Self.session(part, seed: seed)
    for time in Self.times(session) {
      let body = session.skeleton(at: time)
      let places = body.bodyJoints + [body.left.ball, body.right.ball]
      #expect(places.allSatisfy { $0.y > -0.01 }, "at \(time) s")
    }
  }

  @Test("feet stay in place in squats and push-ups, and hands in push-ups")
  func grip() {
    for seed in 1...4 as ClosedRange<UInt64> {
      let squats = Self.session(.motion(.squats, repetitions: 3), seed: seed)
      let pushUps = Self.session(.motion(.pushUps, repetitions: 3), seed: seed)
      let start = squats.skeleton(at: 0)
      let plank = pushUps.skeleton(at: 0)
      for time in Self.times(squats) {
        #expect(distance(squats.skeleton(at: time).left.ankle, start.left.ankle) < 0.005)
        #expect(distance(squats.skeleton(at: time).right.ball, start.right.ball) < 0.005)
      }
      for time in Self.times(pushUps) {
        let body = pushUps.skeleton(at: time)
        #expect(distance(body.left.ankle, plank.left.ankle) < 0.02)
        #expect(distance(body.right.wrist, plank.right.wrist) < 0.02)
      }
    }
  }

  @Test("the same seed gives the same session, another seed another one")
  func seeds() {
    for part in Self.parts {
      let one = Self.session(part, seed: 8)
      let same = Self.session(part, seed: 8)
      let other = Self.session(part, seed: 9)
      #expect(one.segments == same.segments)
      #expect(one.skeleton(at: 1.3) == same.skeleton(at: 1.3))
      #expect(one.skeleton(at: 1.3) != other.skeleton(at: 1.3))
    }
  }

  @Test("what a repetition is for shows in the joints")
  func amplitude() {
    func range(_ exercise: Motion, _ height: (Skeleton) -> Float) -> Float {
      let session = SyntheticSession([.motion(exercise, repetitions: 2)], seed: 4)
      let heights = Self.times(session).map { height(session.skeleton(at: $0)) }
      return (heights.max() ?? 0) - (heights.min() ?? 0)
    }
    #expect(range(.jumpingJacks) { $0.left.wrist.y } > 0.6)
    #expect(range(.squats) { $0.root.y } > 0.25)
    #expect(range(.lunges) { $0.root.y } > 0.25)
    #expect(range(.burpees) { $0.head.y } > 0.9)
    #expect(range(.pushUps) { $0.neck.y } > 0.15)
  }
}

func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
  let d = a - b
  return (d * d).sum().squareRoot()
}
