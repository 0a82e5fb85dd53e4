import Foundation
import KinemaAction
import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("The only repetition of a recording")
struct SingleRepetitionTests {
  private func only(_ sequence: PoseSequence) -> Range<Double>? {
    SingleRepetition.only(in: sequence.frames.map { .init($0.poses.first, at: $0.time) })
  }

  @Test("is found whatever comes before and after")
  func alone() throws {
    var mover = Mover()
    let sequence = mover.sequence([(.standing, 1, 4), (.squats, 2.4, 1), (.standing, 1, 3)])
    let found = try #require(only(sequence))
    #expect(abs(found.lowerBound - 4) < 0.6 && abs(found.upperBound - 6.4) < 0.6)
  }

  @Test("may begin and end at its lowest point")
  func underWay() throws {
    var mover = Mover()
    var sequence = mover.sequence([(.squats, 2.4, 2)])
    sequence.frames = sequence.frames.filter { (1.2...3.7).contains($0.time) }
    #expect(only(sequence) != nil)
  }

  @Test("is none before the body is back")
  func halfWay() {
    var mover = Mover()
    #expect(only(mover.sequence([(.standing, 1, 3), (.squats, 2.4, 0.5)])) == nil)
    #expect(only(mover.sequence([(.standing, 1, 6)])) == nil)
    #expect(only(PoseSequence()) == nil)
  }

  @Test("is none as short as a gesture, as long as a rest, or on the way elsewhere and back")
  func others() {
    var mover = Mover()
    for seconds in [0.6, 20] {
      let sequence = mover.sequence([(.standing, 1, 3), (.squats, seconds, 1), (.standing, 1, 3)])
      #expect(only(sequence) == nil)
    }
    var walk = mover.sequence([(.standing, 1, 10)])
    for index in walk.frames.indices {
      let share = Float(min(max((walk.frames[index].time - 3) / 4, 0), 1))
      for key in JointKey.body {
        walk.frames[index].poses[0].keypoints[key]?.position.x += 1.5 * sinf(.pi * share)
      }
    }
    #expect(only(walk) == nil)
  }

  @Test("is none where the body leaves its posture more than once")
  func twice() {
    var mover = Mover()
    let sequence = mover.sequence([
      (.standing, 1, 3), (.jacks, 2.4, 1), (.standing, 1, 4), (.jacks, 1.6, 1), (.standing, 1, 3),
    ])
    #expect(only(sequence) == nil)
  }
}
