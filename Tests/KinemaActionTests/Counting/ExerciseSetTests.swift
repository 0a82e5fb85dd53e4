import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Sets and their names")
struct ExerciseSetTests {
  /// What a classifier says from a time on.
  private struct Say {
    var from: Double
    /// The label that is reported; `nil` where none is confident.
    var label: String?
    var probabilities: [String: Double]

    init(_ from: Double, _ label: String?, _ probabilities: [String: Double]) {
      (self.from, self.label, self.probabilities) = (from, label, probabilities)
    }
  }

  private struct Result {
    var counter: RepetitionCounter
    var totals: [Int] = []
    var revisions: [SetRevision] = []
    var current: [ExerciseSet?] = []
  }

  /// Counts a movement whose windows of two seconds end three times a second.
  private func count(
    _ movements: [(move: Mover.Move, period: Double, cycles: Double)], _ says: [Say],
    groups: [String: [String]] = [:]
  ) throws -> Result {
    var mover = Mover()
    var rules = RepetitionCounter.Rules()
    (rules.method, rules.groups) = (.signal, groups)
    var result = Result(counter: try RepetitionCounter(rules: rules))
    for (index, frame) in mover.sequence(movements).frames.enumerated() {
      var evidence: [ActionEvidence] = []
      if index.isMultiple(of: 10), let say = says.last(where: { $0.from <= frame.time }) {
        evidence = [
          ActionEvidence(
            timeRange: (frame.time - 2)..<frame.time, action: say.label,
            confidence: say.label.flatMap { say.probabilities[$0] } ?? 0.4,
            probabilities: say.probabilities)
        ]
      }
      let total = try result.counter.add(frame.poses.first, at: frame.time, evidence: evidence)
      result.totals.append(total)
      result.revisions += result.counter.revisions
      result.current.append(result.counter.currentSet)
    }
    #expect(zip(result.totals, result.totals.dropFirst()).allSatisfy { $0 <= $1 })
    return result
  }

  private let nothing = Say(0, nil, ["other": 1])

  @Test("repetitions without a name are those of the set once it has one")
  func credit() throws {
    let result = try count(
      [(.standing, 1, 2), (.squats, 2, 10)],
      [
        nothing, Say(4, nil, ["squats": 0.5, "lunges": 0.4, "other": 0.1]),
        Say(14, "squats", ["squats": 0.9, "lunges": 0.1]),
      ])
    let before = try #require(result.current[13 * 30])
    #expect(before.action == nil && before.id == 1 && (3...6).contains(before.repetitions))
    #expect(result.totals[13 * 30] == 0)
    let sets = result.counter.sets
    #expect(sets.map(\.action) == ["squats"] && (9...10).contains(sets[0].repetitions))
    #expect(abs(sets[0].start - 2) < 1.5)
    var counter = result.counter
    let summary = try counter.finish()
    #expect((9...10).contains(summary.count))
    #expect(summary.repetitions.allSatisfy { $0.set == 1 && $0.action == "squats" })
  }

  @Test("movement that is rather none of the exercises is not credited to one that follows")
  func noCredit() throws {
    let result = try count(
      [(.standing, 1, 2), (.squats, 2, 10)],
      [
        nothing, Say(4, nil, ["squats": 0.3, "other": 0.7]),
        Say(14, "squats", ["squats": 0.9, "other": 0.1]),
      ])
    #expect(result.current[12 * 30] == nil)
    #expect((4...6).contains(result.counter.counts["squats"] ?? 0))
  }

  @Test("a name that the windows of its set hardly say is revised, with its repetitions")
  func revision() throws {
    let result = try count(
      [(.standing, 1, 2), (.squats, 2, 10)],
      [
        nothing, Say(4, "lunges", ["lunges": 0.62, "squats": 0.36]),
        Say(11, "squats", ["squats": 0.95, "lunges": 0.05]),
      ])
    let revision = try #require(result.revisions.first)
    #expect(result.revisions.count == 1)
    #expect(revision.from == "lunges" && revision.to == "squats" && revision.set == 1)
    #expect((2...5).contains(revision.repetitions) && revision.joined == nil)
    #expect(result.counter.sets.map(\.action) == ["squats"])
    #expect(result.counter.counts.keys.sorted() == ["squats"])
    #expect((9...10).contains(result.counter.count))
  }

  @Test("an exercise that follows another one without a pause is a set of its own")
  func circuit() throws {
    let result = try count(
      [(.jacks, 1.2, 10), (.squats, 2, 6)],
      [
        Say(0, "jumping_jacks", ["jumping_jacks": 0.95, "squats": 0.02]),
        Say(13.3, "squats", ["squats": 0.95, "jumping_jacks": 0.02]),
      ])
    #expect(result.revisions.isEmpty)
    #expect(result.counter.sets.map(\.action) == ["jumping_jacks", "squats"])
    #expect(result.counter.sets.map(\.id) == [1, 2])
    #expect((9...11).contains(result.counter.counts["jumping_jacks"] ?? 0))
    #expect((5...7).contains(result.counter.counts["squats"] ?? 0))
  }

  @Test("another name for a moment leaves no set, and what it counted is the set's")
  func falseName() throws {
    let squats = ["squats": 0.95, "lunges": 0.05]
    let result = try count(
      [(.squats, 2, 10)],
      [
        Say(0, "squats", squats), Say(9, "lunges", ["lunges": 0.6, "squats": 0.4]),
        Say(11.2, "squats", squats),
      ])
    #expect(result.revisions.map(\.joined) == [1])
    #expect(result.counter.sets.map(\.id) == [1])
    #expect((9...10).contains(result.counter.counts["squats"] ?? 0))
  }

  @Test("what is held is a set of seconds without repetitions")
  func held() throws {
    let result = try count(
      [(.standing, 1, 12)],
      [
        nothing, Say(3, "plank", ["plank": 0.9, "other": 0.1]), Say(9, nil, ["other": 1]),
      ])
    let set = try #require(result.counter.sets.first)
    #expect(result.counter.sets.count == 1 && set.kind == .timed && set.repetitions == 0)
    #expect(abs(set.end - set.start - 6) < 0.7)
    #expect(result.current[6 * 30]?.action == "plank" && result.current.last == .some(nil))
  }

  @Test("a set lasts through a pause, and one that is longer than eight seconds ends it")
  func pauses() throws {
    let squats = ["squats": 0.95, "other": 0.05]
    let result = try count(
      [(.squats, 2, 4), (.standing, 1, 5), (.squats, 2, 4), (.standing, 1, 12), (.squats, 2, 4)],
      [
        Say(0, "squats", squats), Say(9, "standing", ["other": 1]), Say(14, "squats", squats),
        Say(22, "standing", ["other": 1]), Say(34, "squats", squats),
      ])
    #expect(result.counter.sets.map(\.action) == ["squats", "squats"])
    #expect(result.current[12 * 30] == nil)
    let counts = result.counter.sets.map(\.repetitions)
    #expect((7...9).contains(counts[0]) && (3...5).contains(counts[1]))
  }

  @Test("a group of exercises gives way to one of them, which stays the name")
  func groups() throws {
    let windows = ["front_raises": 0.5, "lateral_raises": 0.45]
    let result = try count(
      [(.jacks, 2, 10)],
      [
        Say(0, "raises", windows), Say(8, "front_raises", windows), Say(14, "raises", windows),
      ], groups: ["raises": ["front_raises", "lateral_raises"]])
    #expect(result.revisions.map(\.from) == ["raises"])
    #expect(result.counter.sets.map(\.action) == ["front_raises"])
    #expect((9...10).contains(result.counter.counts["front_raises"] ?? 0))
  }
}
