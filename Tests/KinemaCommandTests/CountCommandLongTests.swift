import KinemaTestSupport
import Testing

/// What is counted of synthetic people who repeat nothing.
struct CountCommandLongTests {
  /// The count of a minute of one person.
  static func count(of motion: String, seed: Int) throws -> Int {
    let folder = try TemporaryFolder()
    let poses = folder.path("poses.npz")
    try Tool.run(
      "synth", "--size", "64x48", "--fps", "15", "--actions", motion, "--repetitions", "15",
      "--tempo", "4", "--seed", "\(seed)", "--poses", poses)
    let report = try Tool.json(try Tool.run("count", poses, "--format", "json").output)
    return try #require(report["count"] as? Int)
  }

  /// At most one repetition a minute is counted for all of them; of those who stand, who shift their weight
  /// now and then in about even time, for six of eight.
  @Test(
    "synthetic people who sit, talk or hold a plank repeat nothing",
    arguments: [
      ("standing", 8, 6), ("sitting", 3, 3), ("talking", 3, 3), ("near_talking", 3, 3),
      ("plank", 3, 3), ("forearm_plank", 3, 3),
    ])
  func idlePeople(motion: String, peopleCount: Int, least: Int) throws {
    let counts = try (1...peopleCount).map { try Self.count(of: motion, seed: $0) }
    #expect(counts.count { $0 <= 1 } >= least, "\(counts)")
  }
}
