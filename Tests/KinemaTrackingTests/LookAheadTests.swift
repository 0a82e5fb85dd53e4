import KinemaPose
import KinemaTracking
import Testing

/// What a file's frames report when they have waited for those that follow.
@Suite struct LookAheadTests {
  /// Frames at 20 a second as a file reports them.
  private static func reported(
    _ count: Int, appearances: (Int) -> [Int: Appearance] = { _ in [:] }, poses: (Int) -> [Pose]
  ) -> [WaitingFrame<Void>] {
    var lookAhead = LookAhead<Void>(rules: .bodies, maximumPersonCount: 8)
    let frames = (0..<count).flatMap { number in
      lookAhead.add(WaitingFrame(number, poses(number), appearances: appearances(number)))
    }
    return frames + lookAhead.finish()
  }

  /// Sixty frames in which from the 20th on the first track is in a third person's clothes, and a third
  /// track in those of the first person.
  private static func exchanged(poses: (Int) -> [Pose]) throws -> [WaitingFrame<Void>] {
    let clothes = try [[Float]]([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).map {
      try #require(Appearance(parts: [$0], weights: [1]))
    }
    return reported(60) { number in
      number < 20
        ? [1: clothes[0], 2: clothes[1]] : [1: clothes[2], 2: clothes[1], 3: clothes[0]]
    } poses: {
      poses($0)
    }
  }

  @Test("a short gap of a track is interpolated while another person is visible")
  func fillsGap() throws {
    let frames = Self.reported(40) { number in
      (10..<15).contains(number)
        ? [Pose.standing(2, x: 0.8)]
        : [Pose.standing(1, x: 0.2 + 0.01 * Float(number)), Pose.standing(2, x: 0.8)]
    }
    #expect(frames.map(\.number) == Array(0..<40))
    let ids = frames.map { $0.poses.map(\.personID) }
    #expect(ids == Array(repeating: [1, 2], count: 40))
    let filled = try #require(frames[12].poses.first?.keypoints[.nose])
    #expect(abs(filled.position.x - 0.32) < 1e-4)
    #expect(filled.confidence <= 0.1)
  }

  @Test("a gap is interpolated also while everybody else is only predicted")
  func fillsPredictions() throws {
    let frames = Self.reported(40) { number in
      (10..<15).contains(number)
        ? [Pose.standing(2, x: 0.7, confidence: 0.1)]
        : [Pose.standing(1, x: 0.2), Pose.standing(2, x: 0.8)]
    }
    #expect(frames.map { $0.poses.map(\.personID) } == Array(repeating: [1, 2], count: 40))
    let predicted = try #require(frames[12].poses.last?.keypoints[.nose])
    #expect(abs(predicted.position.x - 0.8) < 1e-4)
  }

  @Test("gaps of a single person, and gaps of two seconds, are not interpolated")
  func keepsAbsences() {
    let alone = Self.reported(40) { (10..<15).contains($0) ? [] : [Pose.standing(1, x: 0.3)] }
    #expect(alone[10..<15].flatMap(\.poses).isEmpty)
    let away = Self.reported(80) { number in
      (10..<50).contains(number)
        ? [Pose.standing(2, x: 0.8)] : [Pose.standing(1, x: 0.2), Pose.standing(2, x: 0.8)]
    }
    #expect(Set(away[10..<50].flatMap(\.poses).map(\.personID)) == [2])
  }

  @Test("a track of few frames, which may be a false positive, is not interpolated")
  func keepsShortTracks() {
    let frames = Self.reported(40) { number in
      number == 10 || number == 20
        ? [Pose.standing(1, x: 0.2), Pose.standing(2, x: 0.8)] : [Pose.standing(1, x: 0.2)]
    }
    #expect(frames.map(\.poses.count) == (0..<40).map { $0 == 10 || $0 == 20 ? 2 : 1 })
  }

  @Test("ids that are exchanged while people walk past each other are corrected")
  func settlesCrossing() {
    // They walk 0.8 of their heights a second; the tracks change over where they meet.
    let places = { (number: Int) in
      [0.1 + 0.02 * Float(number), 0.9 - 0.02 * Float(number)]
    }
    let frames = Self.reported(40) { number in
      let ids = number < 20 ? [1, 2] : [2, 1]
      return zip(ids, places(number)).map { Pose.standing($0, x: $1) }
    }
    for (number, frame) in frames.enumerated() where abs(number - 20) > 2 {
      let first = frame.poses.first { $0.personID == 1 }
      #expect(abs((first?.keypoints[.nose]?.position.x ?? 0) - places(number)[0]) < 1e-4)
    }
  }

  @Test("a track that goes over to another person is cut, and its person keeps the id")
  func cutsTrack() throws {
    let frames = try Self.exchanged { number in
      // The track of the first person jumps to a third one at the 20th frame.
      let first = Pose.standing(1, x: number < 20 ? 0.2 : 0.6)
      return [first, Pose.standing(2, x: 0.9)] + (number < 24 ? [] : [Pose.standing(3, x: 0.2)])
    }
    #expect(frames.map { $0.id(at: 0.9) } == Array(repeating: 2, count: 60))
    #expect(frames[..<20].allSatisfy { $0.id(at: 0.2) == 1 })
    #expect(frames[24...].allSatisfy { $0.id(at: 0.2) == 1 })
    #expect(frames[20...].allSatisfy { $0.id(at: 0.6) == 3 })
  }

  @Test("a track whose clothes change in place is cut there")
  func cutsAtClothes() throws {
    let frames = try Self.exchanged { number in
      // A third person stands in front of the first one, who is found beside.
      [Pose.standing(1, x: 0.2), Pose.standing(2, x: 0.9)]
        + (number < 24 ? [] : [Pose.standing(3, x: 0.5)])
    }
    #expect(frames[..<20].allSatisfy { $0.id(at: 0.2) == 1 })
    #expect(frames[20...].allSatisfy { $0.id(at: 0.2) == 3 })
    #expect(frames[24...].allSatisfy { $0.id(at: 0.5) == 1 })
  }

  @Test("a detection among others in another person's clothes is reported as occluded")
  func doubtsOthersClothes() throws {
    let clothes = try [[Float]]([[1, 0], [0, 1]]).map {
      try #require(Appearance(parts: [$0], weights: [1]))
    }
    var foreign = clothes[1]
    foreign.isClear = false
    let frames = Self.reported(40) { number in
      [1: number == 20 ? foreign : clothes[0], 2: clothes[1]]
    } poses: { number in
      [Pose.standing(1, x: number == 20 ? 0.25 : 0.2), Pose.standing(2, x: 0.4)]
    }
    let joints = frames.compactMap { $0.poses.first?.keypoints[.nose] }
    #expect(joints.map { $0.confidence < 0.2 } == (0..<40).map { $0 == 20 })
    // In its place, the track is interpolated.
    #expect(abs(joints[20].position.x - 0.2) < 1e-4)
  }

  @Test("who turns round while others are near keeps the id by the clothes seen there")
  func settlesByClothesAmongOthers() throws {
    let clothes = try [[Float]]([[1, 0], [0, 1]]).map {
      var seen = try #require(Appearance(parts: [$0], weights: [1]))
      seen.isClear = false
      return seen
    }
    let frames = Self.reported(40) { _ in
      [1: clothes[0], 2: clothes[1]]
    } poses: { number in
      let way = 0.02 * Float(number < 20 ? number : 40 - number)
      return [Pose.standing(1, x: 0.1 + way), Pose.standing(2, x: 0.9 - way)]
    }
    #expect(frames.allSatisfy { ($0.id(at: 0.9) ?? 2) == 2 && ($0.id(at: 0.1) ?? 1) == 1 })
    #expect(frames.last?.poses.first?.keypoints[.nose]?.position.x ?? 1 < 0.2)
  }

  @Test("who is found under a new id for a moment keeps the old one throughout")
  func joinsTracklets() {
    // The first person is tracked as 3 while the old track has no detection.
    let frames = Self.reported(60) { number in
      [Pose.standing(20...30 ~= number ? 3 : 1, x: 0.2), Pose.standing(2, x: 0.9)]
        + (20...30 ~= number ? [Pose.standing(1, x: 0.25, confidence: 0.1)] : [])
    }
    #expect(frames.map { $0.poses.map(\.personID) } == Array(repeating: [1, 2], count: 60))
    #expect(frames[25].poses.first?.keypoints[.nose]?.confidence == 1)
  }

  @Test("a hand that moves faster than a person could keeps its id by the rules of hands")
  func followsFastHands() {
    func ids(_ rules: TrackingRules) -> Set<Int?> {
      var lookAhead = LookAhead<Void>(rules: rules, maximumPersonCount: 2)
      let frames = (0..<40).flatMap { number -> [WaitingFrame<Void>] in
        let hands = [Pose.hand(1, x: number < 20 ? 0.2 : 0.7), .hand(2, x: 0.9)]
        return lookAhead.add(WaitingFrame(number, hands, rules: rules))
      }
      return Set((frames + lookAhead.finish()).flatMap(\.poses).map(\.personID))
    }
    #expect(ids(.hands) == [1, 2])
    #expect(ids(.bodies) == [1, 2, 3])
  }

  @Test("by the rules of hands no gap is interpolated")
  func keepsGapsOfHands() {
    var lookAhead = LookAhead<Void>(rules: .hands, maximumPersonCount: 2)
    let frames = (0..<40).flatMap { number -> [WaitingFrame<Void>] in
      let hands: [Pose] = (20..<25).contains(number) ? [] : [.hand(1, x: 0.2)]
      return lookAhead.add(WaitingFrame(number, hands + [.hand(2, x: 0.9)], rules: .hands))
    }
    #expect(
      (frames + lookAhead.finish()).map(\.poses.count)
        == (0..<40).map { (20..<25).contains($0) ? 1 : 2 })
  }
}
