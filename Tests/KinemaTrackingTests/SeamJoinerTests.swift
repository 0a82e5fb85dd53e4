import KinemaPose
import KinemaTracking
import Testing

/// Two segments with the seam at frame 20; the second one starts with a warm-up of four frames.
@Suite("The ids of people over the segments of a video")
struct SeamJoinerTests {
  private static let seam = 20
  private static let warmUp = 16..<seam

  /// Decides ids, and completes nothing.
  private static func joiner() -> LookAhead<Void> {
    var rules = TrackingRules.bodies
    rules.completesTracks = false
    return LookAhead(rules: rules, maximumPersonCount: 4)
  }

  /// The frames of both segments as they are reported.
  private static func joined(
    _ first: (Int) -> [Pose], then second: (Int) -> [Pose]
  ) -> [WaitingFrame<Void>] {
    var joiner = joiner()
    var frames = (0..<seam).flatMap { joiner.add(WaitingFrame($0, first($0))) }
    frames += joiner.beginSegment(warmUp.map { WaitingFrame($0, second($0)) })
    frames += (seam..<40).flatMap { joiner.add(WaitingFrame($0, second($0))) }
    frames += joiner.finish()
    #expect(frames.map(\.number) == Array(0..<40))
    return frames
  }

  @Test("people keep their ids, whatever the next segment calls them")
  func ids() {
    let frames = Self.joined { _ in
      [.standing(4, x: 0.2), .standing(7, x: 0.8)]
    } then: { _ in
      // A little elsewhere, as another search finds them.
      [.standing(4, x: 0.805), .standing(9, x: 0.205)]
    }
    #expect(frames.map { $0.poses.map(\.personID) } == Array(repeating: [1, 2], count: 40))
    #expect(frames.allSatisfy { $0.id(at: 0.2) == 1 && $0.id(at: 0.8) == 2 })
  }

  @Test("a person whom only the next segment finds, in its warm-up or later, is new")
  func newcomers() {
    for arrival in [10, 30] {
      let frames = Self.joined { _ in
        [.standing(1, x: 0.2)]
      } then: { number in
        [.standing(1, x: 0.2)] + (number < arrival ? [] : [.standing(2, x: 0.8)])
      }
      #expect(frames.allSatisfy { $0.id(at: 0.2) == 1 })
      let ids = frames.compactMap { $0.id(at: 0.8) }
      #expect(ids == Array(repeating: 2, count: 40 - max(arrival, Self.seam)))
    }
  }

  @Test("a person who comes elsewhere than another one left is new, under the same id too")
  func others() {
    let frames = Self.joined { number in
      number < 15 ? [.standing(1, x: 0.2)] : []
    } then: { number in
      number < 25 ? [] : [.standing(1, x: 0.8)]
    }
    let ids = frames.map { $0.poses.map(\.personID) }.filter { !$0.isEmpty }
    #expect(Array(ids.prefix(15)) == Array(repeating: [1], count: 15))
    #expect(Array(ids.dropFirst(15)) == Array(repeating: [2], count: 15))
  }

  @Test("a person who is away for a moment at the seam keeps the id")
  func gap() {
    let frames = Self.joined { number in
      [.standing(1, x: 0.8)] + (number < 15 ? [.standing(2, x: 0.2)] : [])
    } then: { number in
      [.standing(3, x: 0.8)] + (number < 25 ? [] : [.standing(6, x: 0.22)])
    }
    #expect(frames.allSatisfy { $0.id(at: 0.8) == 1 })
    let ids = frames.map { $0.id(at: 0.2) ?? $0.id(at: 0.22) }
    #expect(ids == (0..<40).map { (15..<25).contains($0) ? nil : 2 })
  }

  @Test("an id that another track has taken over is not given to the first one again")
  func takenOver() {
    var joiner = Self.joiner()
    var frames = (0..<80).flatMap { number -> [WaitingFrame<Void>] in
      var poses: [Pose] = [.standing(2, x: 0.8)]
      if number < 15 || number >= 60 { poses.append(.standing(1, x: number < 15 ? 0.2 : 0.3)) }
      if number >= 17 { poses.append(.standing(5, x: 0.21)) }
      return joiner.add(WaitingFrame(number, poses))
    }
    frames += joiner.finish()
    #expect(frames.count == 80)
    #expect(frames.allSatisfy { Set($0.poses.map(\.personID)).count == $0.poses.count })
    #expect(frames.dropFirst(17).allSatisfy { $0.id(at: 0.21) == 2 })
    #expect(frames.suffix(20).allSatisfy { $0.id(at: 0.3) == 3 })
  }

  @Test("a segment agrees that has found everybody who is visible in the one before")
  func agreement() {
    var joiner = Self.joiner()
    for number in 0..<Self.seam {
      // The third person is occluded in the end.
      _ = joiner.add(
        WaitingFrame(
          number,
          [
            .standing(1, x: 0.2), .standing(2, x: 0.8),
            .standing(3, x: 0.5, confidence: number < 15 ? 1 : 0.05),
          ]))
    }
    func agrees(_ poses: [Pose], at number: Int = 19) -> Bool {
      joiner.agrees(with: WaitingFrame(number, poses))
    }
    let both: [Pose] = [.standing(5, x: 0.2), .standing(4, x: 0.8)]
    #expect(agrees(both))
    #expect(agrees(both + [.standing(6, x: 0.5)]))
    #expect(!agrees([both[0]]))
    #expect(!agrees([]))
    #expect(!agrees([both[0], .standing(4, x: 0.6)]))
    #expect(!agrees([both[0], .standing(4, x: 0.8, confidence: 0.05)]))
    // There is no such frame in the segment before.
    #expect(agrees([], at: 300))
  }
}
