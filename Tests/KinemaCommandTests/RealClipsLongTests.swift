import Foundation
import KinemaTestSupport
import Testing

/// What the page shows of real people, with what they do before and after their exercises.
@Suite(
  "Real clips in a real browser",
  .enabled(
    if: BrowserSteps.isAvailable && SharedData.isPresent, "no Chromium or no ../shared"))
struct RealClipsLongTests {
  @Test(
    "no count falls, a cue is of its exercise, what is held has a time, the summary is of the sets"
  )
  func isCalm() async throws {
    let server = try LiveServerProcess()
    try await BrowserSteps.expect(
      ["real_clips"], of: "real_clips.py", at: server.address,
      arguments: ["--shared", SharedData.folder.path])
    #expect(server.end() == 0)
  }
}
