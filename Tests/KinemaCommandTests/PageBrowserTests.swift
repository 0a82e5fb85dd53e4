import Foundation
import KinemaTestSupport
import Testing

/// The pages, one test after the other: each browser needs a core.
@Suite(
  "Pages in a real browser", .serialized, .enabled(if: BrowserSteps.isAvailable, "no Chromium"))
struct PageBrowserTests {
  /// The steps of the browser, in their order.
  static let steps = [
    "permission", "overlay", "hands", "label", "count", "summary", "camera", "reconnect",
    "model", "challenge", "pause", "lock", "settings", "history", "access", "two", "slow", "stale",
    "resume", "spoken", "room", "worded", "form", "sets", "routines", "distance", "profiles",
  ]

  @Test("the page does what it says in a real browser")
  func browser() async throws {
    let folder = try TemporaryFolder()
    let film = try BrowserSteps.film(in: folder)
    let server = try LiveServerProcess()
    try await BrowserSteps.expect(
      Self.steps, of: "drive.py", at: server.address,
      arguments: ["--camera", film, "--label", "Jumping Jacks"], in: folder)
    #expect(server.end() == 0)
  }

  @Test("named sources are side by side in a real browser")
  func sources() async throws {
    let folder = try TemporaryFolder()
    let made = try Tool.run(
      "synth", "--output", folder.path("gym.mp4"), "--actions", "squats", "--repetitions", "4",
      "--fps", "15", "--size", "320x180")
    try #require(made.status == 0, "\(made.errors)")
    let list = ["Gym", "Hall 2"].map {
      #"{"name": "\#($0)", "address": "\#(folder.path("gym.mp4"))"}"#
    }
    try Data(#"{"sources": [\#(list.joined(separator: ","))]}"#.utf8)
      .write(to: folder.url("watch.json"))
    let server = try LiveServerProcess(["--sources", folder.path("watch.json")])
    try await BrowserSteps.expect(
      ["sources"], of: "drive.py", at: server.address,
      arguments: ["--camera", folder.path("none")], in: folder)
    #expect(server.end() == 0)
  }

  @Test("a routine of three exercises is done to its end on a phone and at 200 %")
  func routine() async throws {
    let folder = try TemporaryFolder()
    let server = try LiveServerProcess()
    try await BrowserSteps.expect(
      ["routine_phone", "routine_zoom"], of: "drive.py", at: server.address,
      arguments: ["--camera", folder.path("none")], in: folder)
    #expect(server.end() == 0)
  }
}
