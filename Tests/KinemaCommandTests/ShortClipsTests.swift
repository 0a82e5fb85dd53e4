import Foundation
import KinemaTestSupport
import Testing

/// From the file to the count, on the clips of the fewest seconds; the long tests have all.
@Suite("Short clips", .enabled(if: SharedData.isPresent, SharedData.reason))
struct ShortClipsTests {
  private static func report(of file: String) throws -> [String: Any] {
    let result = try Tool.run(
      "count", SharedData.url("clips/\(file)").path, "--model", "Exercise", "--format", "json",
      "--no-cache")
    #expect(result.status == 0, "\(result.errors)")
    return try Tool.json(result.output)
  }

  @Test(
    "the exercise of a clip is named, alone, and counted within one",
    arguments: [
      ("cesta_pushups.mp4", "push_ups", 1), ("erwan_jacks.mp4", "jumping_jacks", 4),
      ("fitsync_burpees.mp4", "burpees", 1), ("techbusa_lunges.mp4", "lunges", 2),
      ("cesta_jacks.mp4", "jumping_jacks", 3),
    ])
  func exercise(file: String, label: String, count: Int) throws {
    let counts = try #require(try Self.report(of: file)["counts"] as? [String: Int])
    #expect(Array(counts.keys) == [label])
    #expect(abs((counts[label] ?? 0) - count) <= 1, "\(counts)")
  }

  @Test(
    "nothing counts where somebody walks, runs or boxes",
    arguments: ["assembly_walking.mp4", "johnclaide_running.mp4", "nlarion_boxing.mp4"])
  func everyday(file: String) throws {
    #expect(try Self.report(of: file)["count"] as? Int == 0)
  }
}
