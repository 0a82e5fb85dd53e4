import KinemaLab
import KinemaPose
import Testing

@Suite struct TrackRecordTests {
  private func pose(at x: Float, id: Int?) -> Pose {
    Pose(from: [.nose: JointPoint(.nose, position: SIMD2(x, 0.5), confidence: 1)], personID: id)
  }

  /// A record of frames a second apart: people by number with their places, and those who are
  /// occluded; reports by id with their places.
  private func record(
    _ frames: [(people: [Int: Float], hidden: Set<Int>, reports: [Int: Float])]
  ) -> TrackRecord {
    var record = TrackRecord()
    var score = FollowingScore()
    for (time, frame) in frames.enumerated() {
      let people = frame.people.sorted { $0.key < $1.key }.map { number, x in
        TrackRecord.Subject(
          pose: pose(at: x, id: number), height: 0.5,
          visibleShare: frame.hidden.contains(number) ? 0.2 : 1)
      }
      let poses = frame.reports.sorted { $0.key < $1.key }.map { pose(at: $1, id: $0) }
      let found = score.add(poses, people: people, at: Double(time), aspectRatio: 1)
      record.add(poses, people: people, found: found, at: Double(time), aspectRatio: 1)
    }
    return record
  }

  @Test("similarity falls from 1 to 0.5 at the reach and to 0 at twice the reach")
  func similarity() {
    // Of a person half a frame high the reach is a tenth of the frame.
    let record = record([
      ([1: 0.5], [], [7: 0.5]), ([1: 0.5], [], [7: 0.6]), ([1: 0.5], [], [7: 0.8]),
    ])
    let values = record.frames.map { $0.tracks.similarity[0][0] }
    #expect(values[0] == 1 && abs(values[1] - 0.5) < 1e-6 && values[2] == 0)
  }

  @Test("an occluded person and the report that matches count neither way")
  func occluded() {
    let record = record([([1: 0.2, 2: 0.8], [2], [7: 0.2, 8: 0.8, 9: 0.5])])
    let tracks = record.frames[0].tracks
    #expect(tracks.truths == [1] && tracks.reports == [7, 9])
  }

  @Test("who returns has the old id, a new one or another's, and so has who is new")
  func returns() {
    let away = (people: [Int: Float](), hidden: Set<Int>(), reports: [Int: Float]())
    let before = (
      people: [1: Float(0.2), 2: 0.5, 3: 0.8], hidden: Set<Int>(),
      reports: [11: Float(0.2), 12: 0.5, 13: 0.8]
    )
    let after = (
      people: [1: Float(0.2), 2: 0.5, 3: 0.8, 4: 0.95], hidden: Set<Int>(),
      reports: [11: Float(0.2), 21: 0.5, 12: 0.8, 13: 0.95]
    )
    let returns = record([before, before] + Array(repeating: away, count: 5) + [after]).returns
    #expect(returns.returns == 3 && returns.regained == 1)
    #expect(returns.newcomers == 1 && returns.taken == 2)
  }

  @Test("a short occlusion is no return")
  func occlusion() {
    let visible = (people: [1: Float(0.2)], hidden: Set<Int>(), reports: [7: Float(0.2)])
    let hidden = (people: [1: Float(0.2)], hidden: Set([1]), reports: [Int: Float]())
    #expect(record([visible, hidden, hidden, visible]).returns.returns == 0)
  }
}
