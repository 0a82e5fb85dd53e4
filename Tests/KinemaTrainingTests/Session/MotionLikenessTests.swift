import KinemaSynth
import KinemaTraining
import Testing

@Suite("MotionLikeness")
struct MotionLikenessTests {
  private static func names(like takes: [[Float]], least: Float) -> Set<String> {
    var likeness = MotionLikeness()
    likeness.leastProbability = least
    return Set(
      likeness.motions(like: takes, named: ["bridges", "standing", "no motion"]).like.map(\.name))
  }

  @Test("a motion looks like takes if its mean probability over their windows is high enough")
  func means() {
    // Means of 0.5, 0.25 and 0.25; a name of no motion is left alone.
    let takes: [[Float]] = [[0.75, 0, 0.25], [0.25, 0.5, 0.25]]
    #expect(Self.names(like: takes, least: 0.5) == ["bridges"])
    #expect(Self.names(like: takes, least: 0.75) == [])
    #expect(Self.names(like: takes, least: 0.25) == ["bridges", "standing"])
  }

  @Test("takes show a motion if its mean probability is higher still")
  func shown() {
    var likeness = MotionLikeness()
    likeness.leastShownProbability = 0.5
    let takes: [[Float]] = [[0.75, 0, 0.25], [0.25, 0.5, 0.25]]
    let names = ["bridges", "standing", "no motion"]
    #expect(likeness.motions(like: takes, named: names).shown.map(\.name) == ["bridges"])
    #expect(likeness.motions(like: [], named: names).shown.isEmpty)
  }

  @Test("nothing looks like no takes")
  func noTakes() {
    #expect(Self.names(like: [], least: 0) == [])
  }

  @Test("by default, from a mean probability of 5 % and 30 % on")
  func defaults() {
    #expect(MotionLikeness().leastProbability == 0.05)
    #expect(MotionLikeness().leastShownProbability == 0.3)
  }
}
