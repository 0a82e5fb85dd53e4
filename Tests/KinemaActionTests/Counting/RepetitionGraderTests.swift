import KinemaCounting
import KinemaPose
import Testing

@Suite("Grades of repetitions")
struct RepetitionGraderTests {
  /// A repetition with a range of motion.
  private func repetition(range: Double) -> Repetition {
    Repetition(
      start: 0, end: 1,
      quality: .init(
        movingJoints: [], rangeOfMotion: range, bendingJoint: .rightKnee, bend: 0, symmetry: 1))
  }

  @Test(
    "of a set of one, a small part of a repetition is left out and a whole one counts",
    arguments: [(0.6, 0.3, 0), (0.6, 0.7, 1), (0.75, 0.3, 1), (1.1, 0.1, 1)])
  func partial(phase: Double, range: Double, count: Int) {
    let set = Array(repeating: repetition(range: 1), count: 4)
    let sets = RepetitionGrader.withoutPartial(
      [set, [repetition(range: range)]], phases: [4, phase], attemptShare: 0.6)
    #expect(sets.map(\.count) == [4, count])
  }

  @Test("without enough repetitions to compare, part of a repetition counts")
  func fewRepetitions() {
    let sets = RepetitionGrader.withoutPartial(
      [[repetition(range: 1)], [repetition(range: 0.1)]], phases: [1, 0.6], attemptShare: 0.6)
    #expect(sets.map(\.count) == [1, 1])
  }

  @Test("ranges are compared with those of the same action and movement")
  func kinds() {
    func set(_ ranges: [Double], action: String? = nil, movement: Int? = nil) -> [Repetition] {
      ranges.map { range in
        var repetition = repetition(range: range)
        (repetition.action, repetition.movement) = (action, movement)
        return repetition
      }
    }
    func attempts(_ repetitions: [Repetition]) -> [Bool?] {
      RepetitionGrader.markAttempts(in: repetitions, share: 0.6).map(\.quality?.isAttempt)
    }
    let (large, small) = ([2.0, 2, 2, 1], [0.4, 0.4, 0.2, 0.4])
    #expect(
      attempts(set(large, movement: 1) + set(small, movement: 2))
        == [false, false, false, true, false, false, true, false])
    #expect(
      attempts(set(large, action: "a") + set(small, action: "b"))
        == [false, false, false, true, false, false, true, false])
    // Two are too few for a median.
    #expect(
      attempts(set(large, movement: 1) + set([0.4, 0.1], movement: 2)).suffix(2) == [false, false])
  }
}
