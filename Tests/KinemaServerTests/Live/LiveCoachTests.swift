import Foundation
import KinemaAction
import KinemaCoach
import KinemaCounting
import KinemaPose
import KinemaServer
import KinemaSynth
import KinemaTestSupport
import Testing

@Suite("The live coach")
struct LiveCoachTests {
  private static let session = SyntheticSession(
    [
      .standing(seconds: 3), .motion(.squats, repetitions: 6, repetitionDuration: 2),
      .standing(seconds: 4),
    ], seed: 5)
  private static let rules = """
    {"squats": {"follow": "hips", "range": "knee",
      "depth": {"knee angle at the bottom": "LIMIT", "say": "Go lower."}}}
    """

  private static var repetitions: [SyntheticSession.Repetition] {
    session.segments.flatMap(\.repetitions)
  }

  /// What the coach says about the squats, each with the time of the frame after which it comes.
  private func coached(
    limit: String = "below 150°", hiding hidden: [JointKey] = [], label: String = "squats",
    confidence: Double? = nil
  ) throws -> [(time: Double, repetition: MeasuredRepetition)] {
    let book = Self.rules.replacing("LIMIT", with: limit)
    var coach = LiveCoach(Coach(try Rulebook(Data(book.utf8), name: "rules")))
    var rules = RepetitionCounter.Rules()
    rules.method = .signal
    rules.actionDelay = 0
    var counter = try RepetitionCounter(rules: rules)
    let view = Viewpoint.framing(Self.session, yawDegrees: 90, aspectRatio: 1)
    return try Self.session.poses(frameRate: 30, from: view, aspectRatio: 1).flatMap { frame in
      var pose = frame.poses[0]
      for key in hidden { pose.keypoints[key]?.confidence = 0.3 }
      try counter.add(pose, at: frame.time, action: label, confidence: confidence)
      return coach.add(pose, of: 1, counter: counter, at: frame.time, aspectRatio: 1)
        .map { (frame.time, $0) }
    }
  }

  @Test("each repetition is measured once, soon after its end")
  func measures() throws {
    let coached = try coached()
    #expect((5...6).contains(coached.count))
    for (time, found) in coached {
      let truth = try #require(
        Self.repetitions.min { abs($0.start - found.start) < abs($1.start - found.start) })
      #expect(abs(truth.start - found.start) < 0.5 && abs(truth.end - found.end) < 0.5)
      #expect(found.end < time && time - found.end < 3)
      #expect(found.values.joint == .knee && found.view == .side)
      let range = try #require(found.values.range)
      #expect((40...140).contains(range))
      #expect(found.values.difference == nil && !found.values.isOneSided)
      let (down, up) = try (#require(found.values.down), #require(found.values.up))
      #expect((0.3...1.6).contains(down) && (0.3...1.6).contains(up))
      #expect(found.verdict == .good && found.cue == nil && found.say == nil)
    }
    for (first, second) in zip(coached, coached.dropFirst()) {
      #expect(second.repetition.start >= first.repetition.end - 1e-6)
    }
  }

  @Test("a cue comes with the first repetitions that need it, and not again for some seconds")
  func cues() throws {
    let coached = try coached(limit: "below 20°")
    #expect(coached.count >= 5)
    #expect(coached.allSatisfy { $0.repetition.cue == "Go lower." })
    let said = coached.filter { $0.repetition.say != nil }.map(\.time)
    #expect(said.count >= 2)
    #expect(coached.prefix(2).contains { $0.time == said.first })
    for (first, second) in zip(said, said.dropFirst()) {
      #expect(second - first >= LiveCoach.cueInterval)
    }
  }

  @Test("a set gets no cue before its name is certain, and none where it never is")
  func uncertainName() throws {
    let likely = try coached(limit: "below 20°", confidence: 0.9)
    #expect(likely.count >= 5)
    #expect(likely.first?.repetition.verdict == .uncertain)
    #expect(likely.dropFirst().allSatisfy { $0.repetition.verdict == .fault })
    #expect(likely.first?.repetition.cue == nil && likely.first?.repetition.say == nil)
    let unlikely = try coached(limit: "below 20°", confidence: 0.45)
    #expect(unlikely.count >= 5)
    #expect(unlikely.allSatisfy { $0.repetition.verdict == .uncertain && $0.repetition.cue == nil })
  }

  @Test("what can't be seen has no value and no cue")
  func unseen() throws {
    let legs: [JointKey] = [.rightAnkle, .leftAnkle]
    let coached = try coached(limit: "below 20°", hiding: legs)
    #expect(!coached.isEmpty)
    for (_, found) in coached {
      #expect(found.values.range == nil && found.values.difference == nil)
      #expect(found.values.down != nil)
      #expect(found.verdict == .unseen && found.say == nil)
    }
  }

  @Test("an exercise without rules is not measured")
  func noRules() throws { #expect(try coached(label: "stretches").isEmpty) }

  @Test("another person's repetitions so far are not measured")
  func otherPerson() throws {
    let book = Self.rules.replacing("LIMIT", with: "below 150°")
    var coach = LiveCoach(Coach(try Rulebook(Data(book.utf8), name: "rules")))
    var rules = RepetitionCounter.Rules()
    (rules.method, rules.actionDelay) = (.signal, 0)
    var counter = try RepetitionCounter(rules: rules)
    let view = Viewpoint.framing(Self.session, yawDegrees: 90, aspectRatio: 1)
    let middle = Self.repetitions[3].start
    var found: [MeasuredRepetition] = []
    var before = 0
    for frame in Self.session.poses(frameRate: 30, from: view, aspectRatio: 1) {
      try counter.add(frame.poses[0], at: frame.time, action: "squats")
      let isProminent = frame.time >= middle
      if !isProminent { before = counter.count }
      found += coach.add(
        isProminent ? frame.poses[0] : nil, of: isProminent ? 1 : nil,
        counter: isProminent ? counter : nil, at: frame.time, aspectRatio: 1)
    }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { ($0.start + $0.end) / 2 > middle })
    // No more than were counted since.
    #expect(before > 0 && found.count <= counter.count - before)
  }
}
