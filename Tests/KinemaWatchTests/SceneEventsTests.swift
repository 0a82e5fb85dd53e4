import KinemaCounting
import KinemaPose
import KinemaWatch
import Testing

/// Somebody of height 0.8 in a square frame: upright, level with the floor, or on the way.
func pose(tilt: Double, feet: SIMD2<Float> = SIMD2(0.1, 0.1), stature: Float = 0.8) -> Pose {
  let (sine, cosine) = (Float(sinDegrees(tilt)), Float(sinDegrees(90 - tilt)))
  // Shares of stature from the feet up.
  let heights: [JointKey: Float] = [
    .leftAnkle: 0.04, .rightAnkle: 0.04, .leftKnee: 0.285, .rightKnee: 0.285, .leftHip: 0.53,
    .rightHip: 0.53, .leftShoulder: 0.818, .rightShoulder: 0.818, .nose: 0.93,
  ]
  return Pose(
    from: Dictionary(
      uniqueKeysWithValues: heights.map { key, height in
        let place = feet + stature * height * SIMD2(sine, cosine)
        return (key, JointPoint(key, position: place, confidence: 1))
      }), personID: 1)
}

private func sinDegrees(_ degrees: Double) -> Double {
  // Enough of the series for 0 to 90 degrees.
  let x = degrees * .pi / 180
  return x - x * x * x / 6 + x * x * x * x * x / 120 - x * x * x * x * x * x * x / 5040
}

struct SceneEventsTests {
  /// Plays frames at 20 a second.
  private func events(
    seconds: Double, rules: SceneEvents.Rules = .init(),
    _ persons: (Double) -> [SceneMoment.Person]
  ) -> [WatchEvent] {
    var scene = SceneEvents(rules)
    return (0..<Int(seconds * 20)).flatMap { index in
      let time = Double(index) / 20
      return scene.add(SceneMoment(time: time, persons: persons(time)))
    }
  }

  private func standing(
    _ action: String? = nil, _ sets: [ExerciseSet] = [], _ revisions: [SetRevision] = []
  ) -> [SceneMoment.Person] {
    [.init(id: 1, action: action, sets: sets, revisions: revisions, pose: pose(tilt: 0))]
  }

  private func set(_ id: Int, _ action: String, _ repetitions: Int) -> ExerciseSet {
    ExerciseSet(id: id, action: action, start: 0, end: 0, repetitions: repetitions)
  }

  @Test("a person enters after half a second and leaves after five out of view")
  func enteringAndLeaving() {
    let events = events(seconds: 12) { (1..<4).contains($0) ? standing() : [] }
    #expect(events.map(\.kind) == [.personEnters, .personLeaves])
    #expect(abs(events[0].time - 1.5) < 0.1 && abs(events[1].time - 8.95) < 0.15)
  }

  @Test("a false detection of a moment is nobody")
  func falseDetection() {
    #expect(events(seconds: 4) { (1..<1.3).contains($0) ? standing() : [] }.isEmpty)
  }

  @Test("an action begins and ends once, although a window in between is uncertain")
  func hysteresis() {
    let events = events(seconds: 12) { time in
      standing((2..<8).contains(time) && !(4..<5).contains(time) ? "squats" : nil)
    }.filter { $0.kind != .personEnters }
    #expect(events.map(\.kind) == [.actionBegins, .actionEnds])
    #expect(events.allSatisfy { $0.action == "squats" })
    #expect(abs((events[1].seconds ?? 0) - 6) < 0.2)
  }

  @Test("an action that lasts, a count and a set are events")
  func lastingAndCounting() {
    var rules = SceneEvents.Rules()
    rules.lastingTimes = [3]
    rules.counts = [2]
    let events = events(seconds: 20, rules: rules) { time in
      standing(time < 6 ? "squats" : nil, [set(1, "squats", min(3, Int(time / 2)))])
    }
    #expect(
      events.map(\.kind) == [
        .personEnters, .actionBegins, .actionLasts, .countReached, .actionEnds, .setFinished,
      ])
    #expect(events[3].count == 2 && events[5].count == 3 && events[5].set == 1)
  }

  @Test("a set that was named wrongly is revised, and finished under its name with all repetitions")
  func revision() throws {
    let events = events(seconds: 20) { time in
      let revision = SetRevision(set: 1, from: "lunges", to: "squats", start: 0, repetitions: 2)
      return standing(
        nil, [set(1, time < 5 ? "lunges" : "squats", min(4, Int(time / 2)))],
        time == 5 ? [revision] : [])
    }
    #expect(events.map(\.kind) == [.personEnters, .setRevised, .setFinished])
    let revised = try #require(events.dropFirst().first)
    #expect(revised.set == 1 && revised.from == "lunges" && revised.action == "squats")
    #expect(revised.count == 2)
    #expect(events[2].action == "squats" && events[2].count == 4)
  }

  @Test("a set that is part of the one before is finished once, with the repetitions of both")
  func joinedSets() {
    let events = events(seconds: 20) { time in
      let revision = SetRevision(
        set: 2, from: "lunges", to: "squats", start: 4, repetitions: 1, joined: 1)
      let sets =
        time < 4
        ? [set(1, "squats", 2)]
        : time < 6 ? [set(1, "squats", 2), set(2, "lunges", 1)] : [set(1, "squats", 4)]
      return standing(nil, sets, time == 6 ? [revision] : [])
    }
    #expect(events.map(\.kind) == [.personEnters, .setRevised, .setFinished])
    #expect(events.last?.set == 1 && events.last?.count == 4)
  }

  @Test("nobody in view is an event after its time, once until somebody comes")
  func nobody() {
    var rules = SceneEvents.Rules()
    rules.nobodyTimes = [2]
    let events = events(seconds: 20, rules: rules) { (5..<6).contains($0) ? standing() : [] }
    #expect(events.map(\.kind) == [.nobody, .personEnters, .personLeaves, .nobody])
  }

  @Test("a person whose track gets another id stays the same one")
  func succession() {
    var scene = SceneEvents()
    var events: [WatchEvent] = []
    for index in 0..<100 {
      let id = index < 50 ? 1 : 2
      events += scene.add(
        SceneMoment(
          time: Double(index) / 20, persons: [.init(id: id, pose: pose(tilt: 0))],
          successions: index == 50 ? [2: 1] : [:]))
    }
    #expect(events.map(\.kind) == [.personEnters])
    #expect(scene.state.persons.map(\.id) == [1])
  }
}
