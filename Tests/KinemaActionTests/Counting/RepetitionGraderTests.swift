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
}
