import Foundation
import KinemaPose
import KinemaStreams
import KinemaTestSupport
import KinemaTracking
import KinemaVideo
import KinemaVision
import Testing

@Suite struct HandOverTests {
  private static func pose(_ id: Int, x: Float) -> Pose {
    Pose(
      from: [.nose: JointPoint(.nose, position: SIMD2(x, 0.5), confidence: 1)], personID: id)
  }

  @Test("a hand-over tracks the frames of the next segment with the stream of the one before")
  func handOver() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("movie.mp4")
    let writer = try await VideoWriter(
      url: url, size: CGSize(width: 64, height: 64), frameRate: 20)
    for number in 0..<8 {
      let id = TemporalSegmentIdentifier(source: "", range: number..<number + 1, timescale: 20)
      try await writer.append(TemporalFeature(id: id, feature: Frame(width: 64, height: 64)))
    }
    try await writer.finish()
    var frames: [WaitingFrame<PosedFrame>] = []
    for try await frame in try await VideoReader.read(contentsOf: url) {
      frames.append(
        WaitingFrame(
          frame, people: [TrackedPerson(Self.pose(1, x: 0.9), aspectRatio: 1, rules: .bodies)],
          keepsPicture: false)
      )
    }
    try #require(frames.count == 8)
    let pool = PosePool(workerCount: 1) { { _, time in [Self.pose(7, x: Float(time))] } }
    let handOver = try await HandOver(pool.makeStream(), into: .whole, ofFileAt: url)
    for frame in [frames[2], frames[3], frames[6]] {
      let tracked = try #require(try await handOver.tracked(frame))
      #expect(tracked.number == frame.number)
      #expect(tracked.posed.poses == [Self.pose(7, x: Float(frame.time))])
    }
    // Frames before are not tracked; neither is any after the end.
    #expect(try await handOver.tracked(frames[0]) == nil)
    #expect(try await handOver.tracked(frames[7]) == nil)
  }
}
