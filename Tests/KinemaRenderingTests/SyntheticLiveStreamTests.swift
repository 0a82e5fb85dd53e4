import KinemaPose
import KinemaRendering
import KinemaSynth
import KinemaVideo
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SyntheticLiveStreamTests {
  @Test("the same seed gives the same person and exercises, another one others")
  func determinism() {
    let stream = SyntheticLiveStream(seed: 3, width: 64, height: 48)
    let same = SyntheticLiveStream(seed: 3, width: 64, height: 48)
    let other = SyntheticLiveStream(seed: 4, width: 64, height: 48)
    #expect(stream.session.segments == same.session.segments)
    #expect(stream.session.segments != other.session.segments)
    #expect(pixels(stream.frame(at: 61.5)) == pixels(same.frame(at: 61.5)))
    #expect(pixels(stream.frame(at: 61.5)) != pixels(other.frame(at: 61.5)))
  }

  @Test("exercises take turns with rests for an hour, and begin again")
  func takesTurns() {
    let stream = SyntheticLiveStream(seed: 1, width: 64, height: 48)
    let motions = stream.session.segments.compactMap { $0.motion?.name }
    #expect(
      motions.prefix(7) == [
        "standing", "jumping_jacks", "standing", "squats", "standing", "lunges", "standing",
      ])
    #expect(stream.session.duration > 2400)
    let late = stream.session.duration + 12.25
    #expect(pixels(stream.frame(at: late)).count == 64 * 48 * 4)
  }

  @Test("the person stays in the picture, also long after the first rounds")
  func staysInside() {
    let stream = SyntheticLiveStream(seed: 2)
    let scene = stream.scene
    var outsideCount = 0
    for time in stride(from: 0, to: stream.session.duration, by: 3.7) {
      let pose = scene.poses(at: time, aspectRatio: 4 / 3)[0]
      outsideCount += pose.keypoints.values.count { $0.confidence == 0 }
    }
    #expect(outsideCount == 0)
  }

  @Test("a reader shows the person in real time")
  func isReadLive() async {
    var times: [Double] = []
    var states: [LiveSourceStatus.State] = []
    for await event in SyntheticLiveStream.reader(width: 64, height: 48).events() {
      switch event {
      case .status(let status): states.append(status.state)
      case .frame(let frame, let time, _):
        #expect((frame.width, frame.height) == (64, 48))
        times.append(time)
      }
      if times.count == 10 { break }
    }
    // A busy machine may make it stale in between.
    #expect(states.prefix(2) == [.connecting, .live])
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(times[9] >= 0.28)
  }

  private func pixels(_ frame: Frame) -> [UInt8] {
    frame.withUnsafeBytes { Array($0) }
  }
}
