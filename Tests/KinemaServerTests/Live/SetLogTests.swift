import KinemaCoach
import KinemaCounting
import KinemaServer
import Testing

@Suite("The sets of a session")
struct SetLogTests {
  private static func measured(
    _ label: String, from start: Double, to end: Double, range: Double = 80, cue: String? = nil
  ) -> MeasuredRepetition {
    var values = FormValues()
    values.joint = .knee
    (values.bottom, values.top, values.down, values.up) = (170 - range, 170, 1, 0.8)
    return MeasuredRepetition(label: label, start: start, end: end, values: values, cue: cue)
  }

  /// A set of the person who exercises.
  private static func set(
    _ id: Int, _ label: String = "squats", from start: Double, to end: Double? = nil
  ) -> ExerciseSet {
    ExerciseSet(
      id: id, action: label, kind: end == nil ? .counted : .timed, start: start, end: end ?? start)
  }

  @Test("the sets of a person are entered, also of a single repetition")
  func free() {
    var log = SetLog()
    for time in [12.0, 14, 16] { log.add(1, of: Self.set(1, from: 10.5), of: 7, at: time) }
    log.add(1, of: Self.set(2, "lunges", from: 17), of: 7, at: 19)
    for time in [40.0, 42] { log.add(1, of: Self.set(3, from: 38), of: 7, at: time) }
    let sets = log.sets(from: 10)
    #expect(sets.map(\.repetitions) == [3, 1, 2])
    #expect(sets.map(\.label) == ["squats", "lunges", "squats"])
    #expect(sets.map(\.start) == [0.5, 7, 28] && sets.map(\.end) == [6, 9, 32])
    #expect(sets.allSatisfy { $0.target == nil && $0.form == nil })
  }

  @Test("what is held is a set of seconds, once it has lasted")
  func held() {
    var log = SetLog()
    for end in [11.0, 12, 14.5] {
      log.add(0, of: Self.set(1, "plank", from: 10, to: end), of: 7, at: end)
    }
    log.add(0, of: Self.set(2, "plank", from: 30, to: 31), of: 7, at: 31)
    let sets = log.sets(from: 10)
    #expect(sets.map(\.label) == ["plank"])
    #expect(sets.first?.seconds == 4.5 && sets.first?.repetitions == 0)
  }

  @Test("a set takes its other name with its repetitions, and becomes part of the one before")
  func revision() {
    var log = SetLog()
    log.add(2, of: Self.set(1, "lunges", from: 10), of: 7, at: 14)
    log.add(3, of: Self.set(1, "lunges", from: 10), of: 8, at: 14)
    log.revise(
      SetRevision(set: 1, from: "lunges", to: "squats", start: 10, repetitions: 2), of: 7)
    log.add(1, of: Self.set(1, from: 10), of: 7, at: 16)
    #expect(log.sets(from: 10).map(\.label) == ["squats", "lunges"])
    #expect(log.sets(from: 10).map(\.repetitions) == [3, 3])
    log.add(1, of: Self.set(2, "lunges", from: 16), of: 7, at: 18)
    log.revise(
      SetRevision(set: 2, from: "lunges", to: "squats", start: 16, repetitions: 1, joined: 1), of: 7
    )
    #expect(log.sets(from: 10).map(\.repetitions) == [4, 3])
    #expect(log.sets(from: 10).first?.end == 8)
  }

  @Test(
    "a person under another id continues the set; after counting has begun again, it is another")
  func successions() {
    var log = SetLog()
    log.add(2, of: Self.set(1, from: 10), of: 7, at: 14)
    log.succeed([9: 7])
    log.add(1, of: Self.set(1, from: 10), of: 9, at: 16)
    #expect(log.sets(from: 10).map(\.repetitions) == [3])
    log.add(2, of: Self.set(1, from: 60), of: 9, at: 64)
    #expect(log.sets(from: 10).map(\.repetitions) == [3, 2])
  }

  @Test("the form of a repetition belongs to its own set, though the next one has begun")
  func formOfSets() {
    var log = SetLog()
    for time in [12.0, 14] { log.add(1, of: Self.set(1, from: 10.5), of: 7, at: time) }
    log.add(1, of: Self.set(2, from: 15), of: 7, at: 17)
    log.add(1, of: Self.set(2, from: 15), of: 8, at: 17)
    for (person, set, start) in [(7, 1, 10.5), (7, 1, 12.5), (7, 2, 15.0), (9, 2, 15.0)] {
      var repetition = Self.measured("squats", from: start, to: start + 1.5)
      (repetition.person, repetition.set) = (person, set)
      log.add(repetition)
    }
    #expect(log.sets(from: 10).map { $0.form?.count ?? 0 } == [2, 1, 0])
  }

  @Test("a set has the medians of its repetitions' values, and the cues by how often they came")
  func form() throws {
    var log = SetLog()
    for time in [12.0, 14, 16] { log.add(1, of: Self.set(1, from: 11), of: 7, at: time) }
    for (index, range) in [70.0, 90, 84].enumerated() {
      let start = 10.5 + 2 * Double(index)
      log.add(
        Self.measured(
          "squats", from: start, to: start + 2, range: range, cue: index == 1 ? nil : "Go lower."))
    }
    log.add(Self.measured("lunges", from: 13, to: 15))
    let set = try #require(log.sets(from: 10).first)
    #expect(set.start == 0.5 && set.end == 6 && set.seconds == 5.5)
    let form = try #require(set.form)
    #expect(form.count == 3 && form.joint == .knee)
    #expect(form.range == 84 && form.bottom == 86 && form.top == 170)
    #expect(form.down == 1 && form.up == 0.8 && form.hold == nil && form.difference == nil)
    #expect(form.cues == [FormSummary.Cue(text: "Go lower.", count: 2)])
  }

  @Test("the sets of a challenge have their targets, and the last repetition's form comes later")
  func challenge() throws {
    var log = SetLog()
    let item = ChallengeItem(
      label: "squats", text: "Squats", repetitions: 2, sets: 2, rest: 5, weight: 20)
    var challenge = try Challenge(items: [item])
    log.begin(challenge, at: 0)
    func update(_ action: String?, _ count: Int, at time: Double) {
      challenge.update(action: action, counts: ["squats": count], at: time)
      log.follow(challenge, at: time)
    }
    update(nil, 0, at: 0)
    update("squats", 0, at: 1)
    for (time, count) in [(2.0, 1), (4.0, 2)] {
      log.add(1, of: Self.set(1, from: 0), of: 7, at: time)
      update("squats", count, at: time)
    }
    #expect(challenge.state == .resting)
    log.add(Self.measured("squats", from: 0.5, to: 2.5))
    log.add(Self.measured("squats", from: 2.5, to: 4.5, range: 90))
    update(nil, 2, at: 6)
    update(nil, 2, at: 9.5)
    update("squats", 3, at: 11)
    #expect(log.sets(from: 0).map(\.target?.isDone) == [true, false])
    log.begin(nil, at: 12)
    for time in [13.0, 15] { log.add(1, of: Self.set(2, from: 12), of: 7, at: time) }
    let sets = log.sets(from: 0)
    #expect(sets.map(\.repetitions) == [2, 1, 2])
    #expect(sets.map(\.target?.set) == [1, 2, nil] && sets.map(\.weight) == [20, 20, nil])
    #expect(sets.map(\.target?.isDone) == [true, false, nil])
    #expect(sets[0].form?.count == 2 && sets[0].form?.range == 85)
    #expect(sets[0].start == 0.5 && sets[0].end == 4)
    #expect(sets[1].form == nil && sets[2].form == nil)
  }

  @Test("a set that was named as something held is the challenge's once it is counted")
  func countedAfterAll() throws {
    var log = SetLog()
    log.add(0, of: Self.set(1, "plank", from: 1, to: 5), of: 7, at: 5)
    var challenge = try Challenge(items: [
      ChallengeItem(label: "squats", text: "Squats", repetitions: 2)
    ])
    log.begin(challenge, at: 5)
    log.revise(
      SetRevision(set: 1, from: "plank", to: "squats", start: 1, repetitions: 0), of: 7)
    challenge.update(action: "squats", counts: ["squats": 0], at: 5)
    log.follow(challenge, at: 5)
    for (time, count) in [(7.0, 1), (9.0, 2)] {
      log.add(1, of: Self.set(1, from: 1), of: 7, at: time)
      challenge.update(action: "squats", counts: ["squats": count], at: time)
      log.follow(challenge, at: time)
    }
    let sets = log.sets(from: 0)
    #expect(sets.map(\.repetitions) == [2] && sets.map(\.target?.isDone) == [true])
  }

  @Test(
    "what is done in a challenge's rests, and instead of what it asks for, stands beside its sets")
  func beside() throws {
    var log = SetLog()
    var challenge = try Challenge(items: [
      ChallengeItem(label: "squats", text: "Squats", repetitions: 2, sets: 2, rest: 60)
    ])
    log.begin(challenge, at: 0)
    var counts: [String: Int] = [:]
    func show(_ label: String?, _ gain: Int, _ set: Int, from start: Double, at time: Double) {
      if let label, gain > 0 {
        counts[label, default: 0] += gain
        log.add(gain, of: Self.set(set, label, from: start), of: 7, at: time)
      }
      challenge.update(action: label, counts: counts, at: time)
      log.follow(challenge, at: time)
    }
    show(nil, 0, 0, from: 0, at: 0)
    show("lunges", 1, 1, from: 1, at: 2)
    show("squats", 1, 2, from: 3, at: 4)
    // Two at once, of which one is beyond the target.
    show("squats", 2, 2, from: 3, at: 6)
    #expect(challenge.state == .resting)
    show("squats", 1, 2, from: 3, at: 8)
    let sets = log.sets(from: 0)
    #expect(sets.map(\.label) == ["lunges", "squats", "squats"])
    #expect(sets.map(\.repetitions) == [1, 2, 2])
    #expect(sets.map(\.target?.isDone) == [nil, true, nil])
    #expect(sets[2].start >= sets[1].end)
    #expect(sets.reduce(0) { $0 + $1.repetitions } == counts.values.reduce(0, +))
    // What is held as the challenge asks is in its set alone.
    var plank = try Challenge(items: [ChallengeItem(label: "plank", seconds: 5)])
    log.begin(plank, at: 20)
    for second in 0...5 {
      let time = 20 + Double(second)
      log.add(0, of: Self.set(3, "plank", from: 20, to: time), of: 7, at: time)
      plank.update(action: "plank", counts: counts, at: time)
      log.follow(plank, at: time)
    }
    #expect(log.sets(from: 0).filter { $0.label == "plank" }.count == 1)
  }

  @Test("an action of a challenge that was skipped before it began leaves no set")
  func skipped() throws {
    var log = SetLog()
    var challenge = try Challenge(items: [
      ChallengeItem(label: "a", seconds: 5), ChallengeItem(label: "b", seconds: 1),
    ])
    log.begin(challenge, at: 0)
    challenge.skip(at: 1)
    log.follow(challenge, at: 1)
    for step in 0...12 {
      let time = 1 + Double(step) / 10
      challenge.update(action: "b", counts: [:], at: time)
      log.follow(challenge, at: time)
    }
    #expect(challenge.state == .finished)
    let sets = log.sets(from: 0)
    #expect(sets.map(\.label) == ["b"] && sets[0].seconds == 1 && sets[0].target?.isDone == true)
  }

  @Test("the oldest sets are dropped above a limit")
  func limit() {
    var log = SetLog()
    for index in 0...SetLog.maximumCount {
      let time = 100 * Double(index + 1)
      log.add(2, of: Self.set(index + 1, "a", from: time), of: 7, at: time)
    }
    let sets = log.sets(from: 0)
    #expect(sets.count == SetLog.maximumCount)
    #expect(sets.first?.start == 200)
  }
}
