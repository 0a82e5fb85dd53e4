import KinemaSynth
import KinemaTraining
import Testing

@Suite("MotionLikeness")
struct MotionLikenessTests {
  /// Ten windows: the four of bridges are nearest to 0, one of standing is near it as well.
  private static func windows() throws -> [(motion: Motion, features: [Float])] {
    let bridges = try #require(Motion.named("bridges"))
    let standing = try #require(Motion.named("standing"))
    return [0.1, 0.2, 0.4, 9].map { (bridges, [$0, 0]) }
      + [0.3, 5, 6, 7, 8, 9].map { (standing, [0, $0]) }
  }

  private static func names(
    like takes: [[Float]], near: Double, least: Double
  ) throws -> Set<String> {
    var likeness = MotionLikeness()
    (likeness.nearShare, likeness.leastShare) = (near, least)
    return Set(likeness.motions(like: takes, among: try windows()).map(\.name))
  }

  @Test("a motion looks like takes if enough of its windows are among the nearest")
  func shares() throws {
    // Of the nearest four, three are of bridges and one is of standing.
    #expect(try Self.names(like: [[0, 0]], near: 0.4, least: 0.75) == ["bridges"])
    #expect(try Self.names(like: [[0, 0]], near: 0.4, least: 0.8) == [])
    #expect(try Self.names(like: [[0, 0]], near: 0.4, least: 0.15) == ["bridges", "standing"])
  }

  @Test("the nearest window of the takes counts, and nothing looks like no takes")
  func takes() throws {
    #expect(try Self.names(like: [[0, 7], [0, 50]], near: 0.3, least: 0.5) == ["standing"])
    #expect(try Self.names(like: [], near: 1, least: 0) == [])
  }

  @Test("by default, a quarter of its windows are among the nearest 15 % of all")
  func defaults() {
    #expect(MotionLikeness().nearShare == 0.15)
    #expect(MotionLikeness().leastShare == 0.25)
  }
}
