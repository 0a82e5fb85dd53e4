import Foundation
import KinemaTestSupport
import Testing

@Suite("Pages in a real browser", .enabled(if: BrowserSteps.isAvailable, "no Chromium"))
struct PageBrowserTests {
  @Test(
    "the page does what it says in a real browser", .inBrowser,
    arguments: [
      [
        "permission", "overlay", "hands", "label", "count", "summary", "camera", "reconnect",
        "model", "challenge", "pause", "lock", "settings", "history", "access",
      ],
      [
        "stale", "resume", "spoken", "room", "form", "space", "sets", "counted", "distance",
        "profiles", "calm", "typing", "demonstration",
      ],
    ])
  func browser(steps: [String]) async throws { try await Self.expect(steps) }

  @Test(
    "the pages have room for every language and say nothing in another one", .inBrowser,
    arguments: [["tables", "chosen"], ["languages"], ["studio_languages"]])
  func languages(steps: [String]) async throws { try await Self.expect(steps) }

  // Where results are late, the page reports that in place of others.
  @Test(
    "what is reported is right on a machine that is not busy", .aloneInBrowser)
  func calm() async throws { try await Self.expect(["slow", "worded", "routines"]) }

  fileprivate static func expect(_ steps: [String], _ arguments: [String] = []) async throws {
    let server = try LiveServerProcess()
    try await BrowserSteps.expect(
      steps, of: "drive.py", at: server.address,
      arguments: ["--camera", BrowserSteps.film(), "--label", "Jumping Jacks"] + arguments)
    #expect(server.end() == 0)
  }

  @Test("a move that is taught on the page is named there, of another person too", .aloneInBrowser)
  func teach() async throws {
    try await Self.expect(["teach"], ["--other", BrowserSteps.otherFilm()])
  }

  @Test("named sources are side by side and falls are heard in a real browser", .inBrowser)
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
      ["sources", "alarms"], of: "drive.py", at: server.address,
      arguments: ["--camera", folder.path("none")])
    #expect(server.end() == 0)
  }

  @Test("a saved routine of three exercises is done to its end and is in the history", .inBrowser)
  func routine() async throws { try await Self.exercise("training") }

  /// A step in which the synthetic person does a routine, minutes long.
  fileprivate static func exercise(_ step: String) async throws {
    let server = try LiveServerProcess()
    try await BrowserSteps.expect(
      [step], of: "drive.py", at: server.address, arguments: ["--camera", "none"])
    #expect(server.end() == 0)
  }
}

@Suite(.enabled(if: BrowserSteps.isAvailable, "no Chromium"))
struct PageLongTests {
  // The server gives the second place only where the first one's pictures take little time.
  @Test("two browsers at once have a session each, on a machine that is fast enough")
  func two() async throws { try await PageBrowserTests.expect(["two"]) }

  @Test("a routine is done to its end on phones, on a desktop and at 200 %, dark and light")
  func routines() async throws { try await PageBrowserTests.exercise("routine_screens") }
}
