import Foundation
import KinemaTestSupport
import Testing

extension PageBrowserTests {
  @Test(
    "a project is made, filled, recorded for, trained, evaluated and exported in a real browser",
    .enabled(if: SharedData.isPresent, SharedData.reason), .inBrowser,
    arguments: [
      [
        "runs", "evaluation", "preview", "camera", "output", "snapshot", "access", "looks",
        "new_video",
      ],
      [
        "projects", "data", "resume", "browse", "kept", "parameters", "montage", "unlabelled",
        "tools", "record", "translated", "conflict", "drop", "folders", "annotations", "source",
        "served_files", "undone", "camera_lost", "late_poses",
      ],
      [
        "first_visit", "sets", "refused", "cutting", "side_by_side", "many_classes", "averages",
      ],
      ["read_only", "killed"], ["marking"],
    ])
  func studio(steps: [String]) async throws { try await StudioSteps.expect(steps) }
}

/// Steps that are long, or have a bar of time.
@Suite(
  "Studio's times in a real browser", .serialized,
  .enabled(if: BrowserSteps.isAvailable && SharedData.isPresent, "no Chromium or no ../shared"))
struct StudioLongTests {
  @Test("two moves are taught within minutes, and another person who does them is named live")
  func teach() async throws { try await StudioSteps.expect(["teach"]) }

  @Test("with 500 videos the pages answer and clips play at once")
  func many() async throws { try await StudioSteps.expect(["many"]) }

  @Test("thirty segments of ten minutes are marked, and suggestions halve the keys")
  func marking() async throws { try await StudioSteps.expect(["marking_long"]) }
}

/// Steps of Studio's pages, with the clips that they need.
private enum StudioSteps {
  static func expect(_ steps: [String]) async throws {
    let folder = try TemporaryFolder()
    let clips = [
      "squats": ["aero_squat.mp4", "michp_squat.mp4"],
      "jumping_jacks": ["cesta_jacks.mp4", "joewu_jacks.mp4"],
    ]
    for (label, files) in clips {
      for file in files { try copy("clips/\(file)", to: "clips/\(label)/\(file)", in: folder) }
    }
    // Who teaches each move, and who is to be named live.
    let moves = [
      "kettlebell_swings": ["teacher": "ulisses", "other": "waber"],
      "shoulder_press": ["teacher": "ulisses", "other": "kshitij3"],
    ]
    for (label, people) in moves {
      for (role, person) in people {
        try copy("exercises/\(person)_\(label).mp4", to: "moves/\(label)/\(role).mp4", in: folder)
      }
    }
    try copy("clips/assembly_walking.mp4", to: "moves/walking/other.mp4", in: folder)
    let server = try LiveServerProcess()
    try await BrowserSteps.expect(
      steps, of: "studio.py", at: server.address,
      arguments: [
        "--clips", folder.path("clips"), "--camera", BrowserSteps.film(), "--iterations", "3",
        "--program", Tool.executable.path, "--moves", folder.path("moves"), "--take-seconds", "5",
      ])
    #expect(server.end() == 0)
  }

  private static func copy(
    _ source: String, to name: String, in folder: TemporaryFolder
  ) throws {
    let target = folder.url(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: SharedData.url(source), to: target)
  }
}
