import Foundation
import Kinema
import KinemaLab

struct DepthBenchCommand: Bench {
  static let name = "bench depth"
  static let abstract = "Measure how right bodies in three dimensions are."
  static let usage = "[--motion FOLDER] [--model MODEL]"
  static let discussion = """
    Lifts people before simulated cameras, and compares their joints and angles with the truth: the mean
    distance of joints from their true places, about the middle of the hips, in the camera's coordinates,
    with the stature that is estimated and with the true one; the mean error of angles; and how many joints
    and angles are within one and two of the standard errors that are stated. The people are synthetic; with
    --motion they are those of a folder of motion capture whom the model has not learned from, see kinema
    model make.
    """
  static let examples = """
    kinema bench depth --motion motion/
        Measure the built-in model on real motion.
    kinema bench depth --model Other.mlmodel --seed 7
        Measure another model on synthetic people.
    """
  @Option("MODEL", "The model to measure (default: the built-in one).")
  var model: URL?
  @Option("FOLDER", "A folder of motion capture with an index.csv.")
  var motion: FolderPath?
  @Option("N", "Moments that are measured (default 20000).", 100...10_000_000)
  var samples: Int?
  @Option("N", "Seed of cameras and people.")
  var seed: UInt64?
  @Option("FORMAT", ResultFormat.help)
  var format = ResultFormat.table

  func measure() async throws -> any BenchReport {
    var bench = DepthBench()
    bench.capture = try motion.map { try MotionCapture(everySequenceIn: $0.url).split.heldOut }
    bench.sampleCount = samples ?? bench.sampleCount
    bench.seed = seed ?? bench.seed
    return try bench.run(DepthModel(contentsOf: try model ?? BuiltInModel.depth.url))
  }
}
