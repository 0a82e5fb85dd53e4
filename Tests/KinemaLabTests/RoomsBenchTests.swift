import Foundation
import KinemaLab
import KinemaTestSupport
import KinemaVision
import Testing

@Suite("Rooms without people", .enabled(if: SharedData.isPresent, SharedData.reason))
struct RoomsBenchTests {
  @Test("tracks in videos are counted by how long they last")
  func counts() async throws {
    // A person is there all the time.
    let report = try await RoomsBench.run(
      [SharedData.url("clips/treadtv_starfish.mp4")], .init())
    #expect(report.ghosts > 500)
    #expect(report.table.contains("treadtv_starfish.mp4"))
  }
}
