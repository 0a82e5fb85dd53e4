import Foundation
import KinemaCounting
import KinemaPose
import KinemaTestSupport
import Testing

@Suite("Tracks on a steady grid")
struct MotionTrackTests {
  private func pose(_ x: Float, without missing: Set<JointKey> = []) -> Pose {
    var points: [JointKey: JointPoint] = [:]
    for (index, key) in JointKey.body.enumerated() where !missing.contains(key) {
      points[key] = JointPoint(key, position: [x, Float(index) / 20], confidence: 0.9)
    }
    return Pose(from: points)
  }

  @Test("frames at any times come to lie on a grid of 15 a second, along straight lines")
  func grid() {
    let samples = [0.0, 0.1, 0.35, 0.4].map { MotionSample(pose(Float($0)), at: $0) }
    let track = MotionTrack(samples)
    #expect(track.count == 7)
    for frame in 0..<track.count {
      let place = Double(track.positions[frame * 18].x)
      #expect(abs(place - track.times[frame]) < 1e-5)
    }
  }

  @Test("what was not seen is bridged, and frames far from any person are not valid")
  func bridges() {
    var samples = (0..<60).map { index in
      let time = Double(index) / 30
      return MotionSample(
        (15..<45).contains(index) ? nil : pose(Float(time)), at: time)
    }
    let track = MotionTrack(samples)
    #expect(abs(track.positions[15 * 18].x - 1) < 1e-4)
    #expect(!track.isValid[9] && !track.isValid[15])
    #expect(track.isValid[0] && track.isValid[8] && track.isValid[28])
    samples = samples.map { MotionSample(nil, at: $0.time) }
    #expect(MotionTrack(samples).isValid.allSatisfy { !$0 })
    #expect(MotionTrack([]).count == 0)
  }

  @Test("joints that are never seen rest; a body on one point is none")
  func unseen() {
    let samples = (0..<30).map { index in
      MotionSample(pose(Float(index) / 30, without: [.leftWrist]), at: Double(index) / 30)
    }
    let track = MotionTrack(samples)
    #expect(!track.isJointSeen[7] && track.isJointSeen[6])
    let first = track.positions[7]
    let isResting = (0..<track.count).allSatisfy { track.positions[$0 * 18 + 7] == first }
    #expect(isResting)
    var point = pose(0.5)
    for key in JointKey.body { point.keypoints[key]?.position = [0.5, 0.5] }
    #expect(MotionSample(point, at: 0).found == 0)
  }

  @Test("places are stretched by the picture's aspect ratio")
  func aspectRatio() {
    let sample = MotionSample(pose(0.5), at: 0, aspectRatio: 2)
    #expect(sample.positions[0] == [1, 0])
  }

  @Test("planes are 39 channels of likeness between 0 and 1 on 42 lags")
  func planes() {
    var mover = Mover()
    let sequence = mover.sequence([(.jacks, 1.2, 8)])
    let track = MotionTrack(poses: sequence)
    let planes = LagPlanes(MotionFeatures(track))
    let half = (track.count + 1) / 2
    #expect(planes.timeCount == half)
    let size = 39 * planes.timeCount * 42
    #expect(planes.values.count == size)
    // In the middle, the lag of one period (1.2 s = 0.3·2^((19 − 3)/8)) is alike, that of half is not.
    let row = planes.timeCount / 2 * 42
    #expect(planes.values[row + 19] > 0.9)
    #expect(planes.values[row + 11] < 0.5)
    #expect(planes.values.allSatisfy { $0.isFinite })
  }
}
