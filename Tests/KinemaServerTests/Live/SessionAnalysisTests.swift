import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaServer
import KinemaSynth
import KinemaTestSupport
import Testing

@Suite("The analysis of a session")
struct SessionAnalysisTests {
  /// A session at 30 frames a second that counts by the signal alone.
  private struct Session {
    var analysis = SessionAnalysis()
    private var frameCount = 0
    private var mover = Mover(noise: 0)

    init(classifier: ActionClassifier? = nil) throws {
      var rules = RepetitionCounter.Rules()
      rules.method = .signal
      try analysis.change(to: PersonAnalysis.Plan(classifier: classifier, counting: rules))
    }

    /// The repetitions that are in the totals.
    var booked: Int { analysis.tally.counts.values.reduce(0, +) }

    /// Shows people for a time; each jumps once a second, or stands still.
    @discardableResult
    mutating func show(
      _ people: [Person], seconds: Double, check: (FrameMessage, Session) -> Void = { _, _ in }
    ) throws -> [FrameMessage] {
      try (0..<Int((30 * seconds).rounded())).map { _ in
        let sent = Double(frameCount) / 30
        frameCount += 1
        let time = analysis.time(ofPictureSentAt: sent, arrivedAt: sent)
        let picture = SessionAnalysis.Picture(
          sequence: UInt32(frameCount), sentTime: sent, width: 100, height: 100, time: time)
        var durations = StageDurations()
        let poses = people.map { person in
          var pose = mover.pose(person.move, phase: sent)
          for key in pose.keypoints.keys {
            pose.keypoints[key]?.position *= person.size
            pose.keypoints[key]?.position.y += 0.2
          }
          pose.personID = person.id
          return pose
        }
        let message = try analysis.add(poses, in: picture, durations: &durations)
        check(message, self)
        return message
      }
    }
  }

  private struct Person {
    var id: Int
    var move = Mover.Move.jacks
    var size: Float = 1
  }

  @Test(
    "repetitions are entered once, also when the person comes back under other ids",
    arguments: [false, true])
  func gains(isClassifying: Bool) throws {
    // The wrist is always above the middle.
    var session = try Session(classifier: isClassifying ? WristModel.classifier() : nil)
    for id in [1, 9, 4] {
      let before = session.booked
      try session.show([Person(id: id)], seconds: 6) { message, session in
        #expect(session.booked == message.count)
      }
      #expect(session.booked >= before + 4)
      try session.show([], seconds: 1)
    }
    #expect(session.booked <= 20)
    let entry = try #require(session.analysis.tally.sortedEntries.first { $0.repetitions > 0 })
    #expect(entry.label == (isClassifying ? "up" : "repetitions"))
    #expect(entry.isModelLabel == isClassifying)
  }

  @Test("repetitions of a person who is not prominent are not entered, also not afterwards")
  func others() throws {
    var session = try Session()
    let people = [Person(id: 1, move: .standing), Person(id: 2, size: 0.25)]
    func count(_ message: FrameMessage?) -> Int {
      message?.persons.first { $0.id == 2 }?.count ?? 0
    }
    let last = try session.show(people, seconds: 6).last
    #expect(last?.prominent == 1)
    #expect(count(last) >= 4)
    #expect(session.booked == 0)
    try session.analysis.pin(2)
    let pinned = try session.show(people, seconds: 6).last
    #expect(pinned?.prominent == 2 && pinned?.isPinned == true)
    #expect(count(pinned) >= count(last) + 4)
    #expect(session.booked == count(pinned) - count(last))
  }

  @Test("a person who is not there cannot be pinned")
  func unknownPerson() throws {
    var session = try Session()
    try session.show([Person(id: 1)], seconds: 0.1)
    let error = expectError(ServerError.self) { try session.analysis.pin(7) }
    #expect(error?.code == .notFound)
    #expect(try session.show([Person(id: 1)], seconds: 0.1).last?.isPinned == false)
    try session.analysis.pin(1)
    #expect(try session.show([Person(id: 1)], seconds: 0.1).last?.isPinned == true)
    try session.analysis.pin(nil)
    #expect(try session.show([Person(id: 1)], seconds: 0.1).last?.isPinned == false)
  }

  @Test("a new record drops totals, challenge and people")
  func newRecord() throws {
    var session = try Session()
    session.analysis.challenge = try Challenge(items: [ChallengeItem(label: "up", seconds: 3)])
    try session.show([Person(id: 1)], seconds: 6)
    try session.analysis.pin(1)
    session.analysis.startNewRecord()
    #expect(session.analysis.tally.sortedEntries.isEmpty && session.analysis.tally.duration == 0)
    #expect(session.analysis.challenge == nil)
    #expect(throws: ServerError.self) { try session.analysis.pin(1) }
    let next = try session.show([Person(id: 1)], seconds: 0.1).last
    #expect(next?.count == 0 && next?.isPinned == false)
    #expect(session.booked == 0)
  }

  @Test("another source drops people, but not totals; a broken connection drops nothing")
  func otherSource() throws {
    var session = try Session()
    try session.show([Person(id: 1)], seconds: 6)
    let first = session.booked
    session.analysis.resume()
    let resumed = try session.show([Person(id: 1)], seconds: 0.1).last
    #expect(resumed?.count == session.booked && session.booked >= first)
    let before = session.booked
    session.analysis.changeSource()
    #expect(throws: ServerError.self) { try session.analysis.pin(1) }
    #expect(try session.show([Person(id: 1)], seconds: 0.1).last?.count == 0)
    #expect(session.booked == before)
    let last = try session.show([Person(id: 1)], seconds: 6).last
    #expect(session.booked == before + (last?.count ?? 0))
    #expect(session.booked >= before + 4)
  }

  @Test("between sets a person is ready, and a set has one name from its beginning to its end")
  func sets() async throws {
    let model = try #require(try await BuiltInModels().model(id: "Exercise"))
    let exercise = SyntheticSession(
      [
        .standing(seconds: 5), .motion(.squats, repetitions: 6, repetitionDuration: 2),
        .standing(seconds: 7), .motion(.jumpingJacks, repetitions: 8, repetitionDuration: 1.2),
        .standing(seconds: 4),
      ], seed: 3)
    var analysis = SessionAnalysis()
    try analysis.change(
      to: PersonAnalysis.Plan(classifier: model.classifier, counting: RepetitionCounter.Rules()))
    let view = Viewpoint.framing(exercise, yawDegrees: 20, aspectRatio: 1)
    var activities: [PersonAnalysis.Activity] = []
    var totals: [Int] = []
    for frame in exercise.poses(frameRate: 30, from: view, aspectRatio: 1) {
      var pose = frame.poses[0]
      pose.personID = 1
      let time = analysis.time(ofPictureSentAt: frame.time, arrivedAt: frame.time)
      let picture = SessionAnalysis.Picture(
        sequence: UInt32(totals.count), sentTime: frame.time, width: 100, height: 100, time: time)
      var durations = StageDurations()
      let message = try analysis.add([pose], in: picture, durations: &durations)
      if let activity = message.activity, activity != activities.last {
        activities.append(activity)
      }
      totals.append(analysis.tally.counts.values.reduce(0, +))
    }
    #expect(activities == [.ready, .set, .ready, .set, .ready])
    #expect(zip(totals, totals.dropFirst()).allSatisfy { $0 <= $1 })
    let sets = analysis.tally.trainedSets
    #expect(sets.map(\.label) == ["squats", "jumping_jacks"])
    #expect((5...7).contains(sets[0].repetitions) && (7...9).contains(sets[1].repetitions))
    let labels = Set(analysis.tally.sortedEntries.map(\.label))
    #expect(labels == ["ready", "squats", "jumping_jacks"])
  }

  @Test("without a person it is Starting Up for a window, then No Person, in each record")
  func withoutPerson() throws {
    var session = try Session(classifier: WristModel.classifier())
    for _ in 0..<2 {
      let texts = try session.show([], seconds: 1).map(\.action?.text)
      // A window of the model is 0.4 s.
      #expect(Set(texts.prefix(11)) == ["Starting Up"])
      #expect(Set(texts.suffix(17)) == ["No Person"])
      session.analysis.startNewRecord()
    }
    var unclassified = try Session()
    #expect(try unclassified.show([], seconds: 1).allSatisfy { $0.action == nil })
  }

  @Test("the prominent person is there in three dimensions where the session asks for it")
  func body() throws {
    let squats = SyntheticSession(
      [.motion(.squats, repetitions: 2, repetitionDuration: 2)], seed: 4)
    let view = Viewpoint.framing(squats, yawDegrees: 60, aspectRatio: 1)
    var analysis = SessionAnalysis()
    var knees: [Double] = []
    for (index, frame) in squats.poses(frameRate: 30, from: view, aspectRatio: 1).enumerated() {
      analysis.isLifting = index >= 5
      var pose = frame.poses[0]
      pose.personID = 1
      let picture = SessionAnalysis.Picture(
        sequence: UInt32(index), sentTime: frame.time, width: 100, height: 100, time: frame.time)
      var durations = StageDurations()
      let message = try analysis.add([pose], in: picture, durations: &durations)
      guard index >= 5 else {
        #expect(message.body == nil)
        continue
      }
      let body = try #require(message.body)
      #expect(body.joints.count == JointKey.body.count && body.joints.allSatisfy { $0.count == 4 })
      knees.append(try #require(body.angles["leftKnee"]).first ?? 0)
    }
    // Down, and up again.
    #expect((knees.min() ?? 180) < 120 && (knees.max() ?? 0) > 150)
  }
}
