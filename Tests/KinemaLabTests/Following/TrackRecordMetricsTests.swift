import KinemaLab
import KinemaPose
import Testing

@Suite("Records of tracks")
struct TrackRecordMetricsTests {
  private func pose(_ points: [JointKey: SIMD2<Float>], id: Int?) -> Pose {
    Pose(
      from: Dictionary(
        uniqueKeysWithValues: points.map {
          ($0, JointPoint($0, position: $1, confidence: 1))
        }), personID: id)
  }

  private func subject(_ points: [JointKey: SIMD2<Float>], _ id: Int, height: Float = 0.5)
    -> TrackRecord.Subject
  {
    TrackRecord.Subject(pose: pose(points, id: id), height: height, visibleShare: 1)
  }

  @Test("in a wide frame, a way across counts by the frame's height")
  func aspectRatio() {
    for (aspectRatio, expected) in [(1, 0.75), (2, 0.5), (4, 0)] as [(Float, Double)] {
      var record = TrackRecord()
      record.add(
        [pose([.nose: SIMD2(0.55, 0.5)], id: 7)],
        people: [subject([.nose: SIMD2(0.5, 0.5)], 1)], found: [:], at: 0,
        aspectRatio: aspectRatio)
      // 0.05 of the width is a tenth of a person of half a frame, times the ratio.
      #expect(abs(record.frames[0].tracks.similarity[0][0] - expected) < 1e-5)
    }
  }

  @Test("the distance is the mean over the joints that both have; without one, all is lost")
  func joints() {
    let truth = subject(
      [.nose: SIMD2(0.5, 0.5), .leftHip: SIMD2(0.5, 0.3), .leftKnee: SIMD2(0.5, 0.2)], 1)
    var record = TrackRecord()
    record.add(
      [
        pose([.nose: SIMD2(0.5, 0.5), .leftHip: SIMD2(0.5, 0.4), .rightKnee: .zero], id: 7),
        pose([.rightKnee: SIMD2(0.5, 0.2)], id: 8),
      ], people: [truth], found: [:], at: 0, aspectRatio: 1)
    // A tenth off at one of two joints, of a person of half a frame: a tenth, half of the reach.
    let similarity = record.frames[0].tracks.similarity[0]
    #expect(abs(similarity[0] - 0.75) < 1e-5 && similarity[1] == 0)
  }

  @Test("reports without an id are left out, and found people have the ids of their poses")
  func ids() {
    var record = TrackRecord()
    let places: [Float] = [0.2, 0.8]
    record.add(
      [pose([.nose: SIMD2(0.2, 0.5)], id: nil), pose([.nose: SIMD2(0.8, 0.5)], id: 4)],
      people: places.enumerated().map { subject([.nose: SIMD2($1, 0.5)], $0 + 1) },
      found: [0: 0, 1: 1], at: 3, aspectRatio: 1)
    let frame = record.frames[0]
    #expect(frame.time == 3 && frame.people == [1, 2] && frame.found == [nil, 4])
    #expect(frame.tracks.reports == [4] && frame.tracks.truths == [1, 2])
    #expect(frame.tracks.similarity == [[0], [1]])
  }

  @Test("the metrics are those of the frames")
  func metrics() {
    var record = TrackRecord()
    for time in 0..<6 {
      record.add(
        [pose([.nose: SIMD2(0.5, 0.5)], id: time < 3 ? 1 : 2)],
        people: [subject([.nose: SIMD2(0.5, 0.5)], 9)], found: [0: 0], at: Double(time),
        aspectRatio: 1)
    }
    #expect(record.metrics == TrackingMetrics(record.frames.map(\.tracks)))
    #expect(record.metrics.idSwitches == 1)
    #expect(abs(record.metrics.idf1 - 0.5) < 1e-9)
  }

  @Test("the id of a stay is the one of most frames; an absence below four seconds is none")
  func stays() {
    func record(absence: Int, after ids: [Int]) -> TrackRecord {
      var record = TrackRecord()
      let person = subject([.nose: SIMD2(0.5, 0.5)], 1)
      for (index, id) in ([5, 5, 6] + ids).enumerated() {
        record.add(
          [pose([.nose: SIMD2(0.5, 0.5)], id: id)], people: [person], found: [0: 0],
          at: Double(index + (index < 3 ? 0 : absence)), aspectRatio: 1)
      }
      return record
    }
    #expect(record(absence: 2, after: [7, 7]).returns.returns == 0)
    let back = record(absence: 6, after: [7, 5, 5]).returns
    #expect(back.returns == 1 && back.regained == 1 && back.taken == 0)
    // 6 was the id of one frame only.
    #expect(record(absence: 6, after: [6, 6, 5]).returns.regained == 0)
  }
}
