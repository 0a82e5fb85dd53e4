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

  @Test(
    "chairs and lamps of rooms that people have left are nobody", arguments: ["le_154", "le_149"])
  func furniture(name: String) async throws {
    let folder = try TemporaryFolder()
    let clip = SharedData.url("falls/\(name).mp4").path
    // The median of the pictures of a fixed camera before which people come and go.
    let room = try folder.make(
      "room.png", "-i", clip, "-vf", "fps=2,tmedian=radius=7,scale=640:-2", "-frames:v", "1")
    let video = try folder.make(
      "room.mp4", "-loop", "1", "-framerate", "12", "-t", "8", "-i", room.path, "-vf",
      "noise=alls=6:allf=t", "-c:v", "libx264", "-crf", "26", "-pix_fmt", "yuv420p")
    let report = try await RoomsBench.run([video], .init())
    #expect(report.ghosts == 0)
  }
}
