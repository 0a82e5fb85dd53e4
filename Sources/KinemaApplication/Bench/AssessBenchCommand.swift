import Kinema
import KinemaLab

struct AssessBenchCommand: Bench {
  static let name = "bench assess"
  static let abstract = "Measure how right the measurements of clinical tests are."
  static let usage = "[--motion FOLDER]"
  static let discussion = """
    People before simulated cameras do the tests of kinema assess. Shown is how far each measurement is from
    what the same test gives of the true joints, beside the standard error that is stated. The people are
    synthetic; with --motion also those of a folder of motion capture whom no model has learned from.
    """
  static let examples = """
    kinema bench assess --motion motion/
        Measure on synthetic people and on real motion.
    """
  @Option("FOLDER", "A folder of motion capture with an index.csv.")
  var motion: FolderPath?
  @Option("N", "People in each test (default 60).", 1...100_000)
  var people: Int?
  @Option("N", "Seed of cameras and people.")
  var seed: UInt64?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table

  func measure() async throws -> any BenchReport {
    var bench = try AssessBench()
    bench.motion = motion?.url
    bench.count = people ?? bench.count
    bench.seed = seed ?? bench.seed
    return try bench.run(progress: Self.showProgress("assess"))
  }
}
