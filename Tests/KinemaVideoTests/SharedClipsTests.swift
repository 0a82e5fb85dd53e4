import Foundation
import KinemaStreams
import KinemaTestSupport
import KinemaVideo
import Testing

/// Real footage with its oddities.
@Suite(.enabled(if: SharedData.isPresent, SharedData.reason))
struct SharedClipsTests {
  @Test(
    "frame counts and upright sizes are those of other readers",
    arguments: [
      ("johnclaide_running.mp4", 179, 576, 1024),
      ("alondra_burpees.mp4", 461, 352, 640),
      ("ulisses_jacks.mp4", 375, 404, 720),
      ("kalin_walk.mp4", 100, 320, 240),
      ("intel_asl_no.mkv", 66, 640, 480),
      ("pyskl_ntu_pair.avi", 72, 1920, 1080),
    ])
  func readsClip(name: String, frameCount: Int, width: Int, height: Int) async throws {
    let url = SharedData.url("clips/" + name)
    let frames = try await VideoReader.read(contentsOf: url)
    #expect(frames.frameSize == CGSize(width: width, height: height))
    var count = 0
    var last = -1
    for try await frame in frames {
      #expect(frame.id.range.lowerBound > last)
      last = frame.id.range.lowerBound
      #expect(frame.feature.width == width && frame.feature.height == height)
      count += 1
    }
    #expect(count == frameCount)
    #expect(frames.warnings.isEmpty)
    let duration = try #require(frames.videoDuration)
    #expect(abs(Double(last) / 1_000_000 - duration) < 0.5)
  }

  @Test("a clip of five frames a second keeps its times")
  func readsSlowClip() async throws {
    let frames = try await VideoReader.read(contentsOf: SharedData.url("clips/kalin_walk.mp4"))
    #expect(abs(frames.nominalFrameRate - 5) < 0.01)
    let all = try await frames.all()
    #expect(all[10].id.range == 2_000_000..<2_200_000)
  }
}
