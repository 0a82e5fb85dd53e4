import KinemaPose
import KinemaStreams
import KinemaVideo
import KinemaVision
import Testing

/// What a file's frames report when they have waited for those that follow.
@Suite struct LookAheadTests {
  /// A standing person of half the frame's height with the hips at a position.
  private static func pose(_ id: Int, x: Float, confidence: Float = 1) -> Pose {
    let places: [JointKey: SIMD2<Float>] = [
      .nose: SIMD2(0, 0.28), .leftShoulder: SIMD2(0.04, 0.2), .rightShoulder: SIMD2(-0.04, 0.2),
      .leftHip: SIMD2(0.03, 0), .rightHip: SIMD2(-0.03, 0), .leftKnee: SIMD2(0.03, -0.12),
      .rightKnee: SIMD2(-0.03, -0.12), .leftAnkle: SIMD2(0.03, -0.24),
      .rightAnkle: SIMD2(-0.03, -0.24),
    ]
    let points = places.map { key, place in
      (key, JointPoint(key, position: place + SIMD2(x, 0.5), confidence: confidence))
    }
    return Pose(from: Dictionary(uniqueKeysWithValues: points), personID: id)
  }

  /// Frames at 20 a second as a file reports them.
  private static func reported(
    _ count: Int, poses: (Int) -> [Pose]
  ) -> [PosedFrame] {
    var lookAhead = LookAhead(.bodies(.init()))
    let frames = (0..<count).flatMap { number in
      let id = TemporalSegmentIdentifier(
        source: "test", range: number..<number + 1, timescale: 20)
      return lookAhead.add(
        PosedFrame(
          TemporalFeature(id: id, feature: Frame(width: 64, height: 64)), poses: poses(number),
          keepsPicture: false))
    }
    return frames + lookAhead.finish()
  }

  @Test("a short gap of a track is interpolated while another person is visible")
  func fillsGap() throws {
    let frames = Self.reported(40) { number in
      (10..<15).contains(number)
        ? [Self.pose(2, x: 0.8)]
        : [Self.pose(1, x: 0.2 + 0.01 * Float(number)), Self.pose(2, x: 0.8)]
    }
    #expect(frames.map(\.id.range.lowerBound) == Array(0..<40))
    let ids = frames.map { $0.poses.map(\.personID) }
    #expect(ids == Array(repeating: [1, 2], count: 40))
    let filled = try #require(frames[12].poses.first?.keypoints[.nose])
    #expect(abs(filled.position.x - 0.32) < 1e-4)
    #expect(filled.confidence <= 0.1)
  }

  @Test("gaps of a single person, and gaps longer than a second, are not interpolated")
  func keepsAbsences() {
    let alone = Self.reported(40) { (10..<15).contains($0) ? [] : [Self.pose(1, x: 0.3)] }
    #expect(alone[10..<15].flatMap(\.poses).isEmpty)
    let away = Self.reported(80) { number in
      (10..<50).contains(number)
        ? [Self.pose(2, x: 0.8)] : [Self.pose(1, x: 0.2), Self.pose(2, x: 0.8)]
    }
    #expect(Set(away[10..<50].flatMap(\.poses).map(\.personID)) == [2])
  }

  @Test("a track of few frames, which may be a false positive, is not interpolated")
  func keepsShortTracks() {
    let frames = Self.reported(40) { number in
      number == 10 || number == 20
        ? [Self.pose(1, x: 0.2), Self.pose(2, x: 0.8)] : [Self.pose(1, x: 0.2)]
    }
    #expect(frames.map(\.poses.count) == (0..<40).map { $0 == 10 || $0 == 20 ? 2 : 1 })
  }

  @Test("ids that are exchanged while people walk past each other are corrected")
  func settlesCrossing() {
    // The tracks change over at the 30th frame, where the people meet.
    let places = { (number: Int) in
      [0.2 + 0.01 * Float(number), 0.8 - 0.01 * Float(number)]
    }
    let frames = Self.reported(60) { number in
      let ids = number < 30 ? [1, 2] : [2, 1]
      return zip(ids, places(number)).map { Self.pose($0, x: $1) }
    }
    for (number, frame) in frames.enumerated() where abs(number - 30) > 3 {
      let first = frame.poses.first { $0.personID == 1 }
      #expect(abs((first?.keypoints[.nose]?.position.x ?? 0) - places(number)[0]) < 1e-4)
    }
  }
}
