import KinemaTestSupport
import Testing

@Suite("Segments of more real clips", .enabled(if: SharedData.isPresent, SharedData.reason))
struct VideoSegmenterLongTests {
  @Test(
    "real clips give the same frames at the same times in segments as from start to end",
    arguments: ["johnclaide_running.mp4", "alondra_burpees.mp4", "apurvo_jacks.mp4"])
  func realClips(name: String) async throws {
    let url = SharedData.url("clips/" + name)
    #expect(try await VideoSegmenterTests().check(url).count > 1)
  }
}
