import KinemaPose
import KinemaStreams
import KinemaSynth
import KinemaVision
import Testing

@Suite struct PoseTrackerTests {
  private static let aspectRatio: Float = 16 / 9

  /// The poses of a scene's frames, without ids and in any order.
  private static func frames(
    _ crossing: SyntheticCrossing, frameRate: Double, seed: UInt64
  ) -> [(people: [Int], poses: TemporalFeature<[Pose]>)] {
    var generator = SeededGenerator(seed: seed)
    return (0..<Int(crossing.duration * frameRate)).map { index in
      let time = Double(index) / frameRate
      let shares = crossing.scene.visibleShares(at: time, width: 96, height: 54)
      let poses = crossing.scene.poses(at: time, aspectRatio: aspectRatio)
        .filter { shares[($0.personID ?? 1) - 1] > 0.3 }.shuffled(using: &generator)
      let id = TemporalSegmentIdentifier(
        source: "scene", range: index..<index + 1, timescale: Int(frameRate))
      let nameless = poses.map { pose in
        var pose = pose
        pose.personID = nil
        return pose
      }
      return (poses.compactMap(\.personID), TemporalFeature(id: id, feature: nameless))
    }
  }

  @Test("people who cross keep their ids, without anything but poses", arguments: 2...4)
  func crossings(count: Int) async throws {
    var swaps = 0
    for seed in 1...4 as ClosedRange<UInt64> {
      let crossing = SyntheticCrossing(
        personCount: count, seed: seed, duration: 6, aspectRatio: Self.aspectRatio)
      let tracker = PoseTracker(aspectRatio: Self.aspectRatio)
      var ids: [Int: Int] = [:]
      for frame in Self.frames(crossing, frameRate: 15, seed: seed) {
        let tracked = tracker.applied(to: frame.poses).feature
        #expect(tracked.count == frame.people.count)
        for (person, pose) in zip(frame.people, frame.poses.feature) {
          let id = tracked.first { $0.keypoints == pose.keypoints }?.personID
          if let known = ids[person], known != id { swaps += 1 }
          ids[person] = id
        }
      }
    }
    #expect(swaps == 0)
  }

  @Test("ids are not used again in another clip, and survive less than the memory")
  func memory() {
    let crossing = SyntheticCrossing(
      personCount: 2, seed: 1, duration: 3, aspectRatio: Self.aspectRatio)
    let poses = crossing.scene.poses(at: 0, aspectRatio: Self.aspectRatio)
    let tracker = PoseTracker(aspectRatio: Self.aspectRatio, memory: 1)
    func ids(_ poses: [Pose], at time: Int, source: String = "a") -> [Int?] {
      let id = TemporalSegmentIdentifier(source: source, range: time..<time + 1, timescale: 10)
      return tracker.applied(to: TemporalFeature(id: id, feature: poses)).feature.map(\.personID)
    }
    #expect(ids(poses, at: 0) == [1, 2])
    #expect(ids([], at: 3) == [])
    #expect(ids(poses.reversed(), at: 9) == [1, 2])
    #expect(ids(poses, at: 30) == [3, 4])
    #expect(ids(poses, at: 31, source: "b") == [5, 6])
  }
}
